//! Words of the form `name=value` and `name:=JSON`.

use serde_json::Value;

/// What the command line gives for one name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Given {
    /// `name=value`, once or more; never empty.
    Words(Vec<String>),
    /// `name:=JSON`.
    Json(Value),
}

impl Given {
    /// The value where nobody says what it should be: text, or a list of texts.
    pub(crate) fn guess(&self) -> Value {
        match self {
            Self::Json(value) => value.clone(),
            Self::Words(words) => match &words[..] {
                [word] => word.as_str().into(),
                words => words.into(),
            },
        }
    }
}

/// Takes words apart, and puts together what they give for each name, in the order of the first.
///
/// # Errors
/// If a word is none of these, is no JSON, or gives a second value for JSON.
pub(crate) fn group(words: &[String]) -> Result<Vec<(String, Given)>, String> {
    let mut grouped: Vec<(String, Given)> = Vec::new();
    for word in words {
        let (name, given) = split(word)?;
        let Some((_, before)) = grouped.iter_mut().find(|(other, _)| other == name) else {
            grouped.push((name.to_owned(), given));
            continue;
        };
        match (before, given) {
            (Given::Words(before), Given::Words(more)) => before.extend(more),
            _ => return Err(format!("`{name}`: given twice, once as JSON")),
        }
    }
    Ok(grouped)
}

fn split(word: &str) -> Result<(&str, Given), String> {
    let apart = word
        .split_once('=')
        .map(|(name, value)| (name.trim_end(), value));
    let (name, given) = match apart {
        Some((name, value)) => match name.strip_suffix(':') {
            Some(name) => (name, Given::Json(json(name, value)?)),
            None => (name, Given::Words(vec![value.to_owned()])),
        },
        None => ("", Given::Json(Value::Null)),
    };
    if name.is_empty() {
        return Err(format!("{word:?} is none of `name=value` and `name:=JSON`"));
    }
    Ok((name, given))
}

fn json(name: &str, text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("`{name}`: {text:?} is no JSON: {error}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn grouped(words: &[&str]) -> Result<Vec<(String, Given)>, String> {
        let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
        group(&words)
    }

    #[test]
    fn the_first_equals_sign_parts_name_and_value() {
        let words = |text: &str| Given::Words(vec![text.to_owned()]);
        assert_eq!(grouped(&["a=b=c"]), Ok(vec![("a".into(), words("b=c"))]));
        assert_eq!(grouped(&["a="]), Ok(vec![("a".into(), words(""))]));
        assert_eq!(grouped(&["a=x:=y"]), Ok(vec![("a".into(), words("x:=y"))]));
        assert_eq!(
            grouped(&["a:=[1]"]),
            Ok(vec![("a".into(), Given::Json(json!([1])))])
        );
    }

    #[test]
    fn what_is_repeated_is_a_list() {
        let read = grouped(&["a=1", "b=x", "a=2"]).unwrap();
        assert_eq!(
            read[0],
            ("a".into(), Given::Words(vec!["1".into(), "2".into()]))
        );
        assert_eq!(read[0].1.guess(), json!(["1", "2"]));
        assert_eq!(read[1].1.guess(), json!("x"));
    }

    #[test]
    fn other_words_are_refused_by_what_they_are() {
        assert!(grouped(&["plain"]).unwrap_err().contains("\"plain\""));
        assert!(grouped(&["=value"]).is_err());
        assert!(grouped(&[":=1"]).is_err());
        assert!(grouped(&["a:={"]).unwrap_err().starts_with("`a`:"));
        assert!(grouped(&["a:=1", "a=2"]).unwrap_err().contains("twice"));
    }
}
