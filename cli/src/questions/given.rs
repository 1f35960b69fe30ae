//! A form filled in by `--answer`.

use mcp_tasks::form::{ChoiceItem, Form, Kind};
use serde_json::{Map, Value};

use crate::arguments::Given;

/// What is given for the form's fields, each value of its field's type as far as it can be read so; `None` if nothing
/// is. Whether it fits, [`Form::check`] decides.
pub(super) fn content(given: &[(String, Given)], form: &Form) -> Option<Map<String, Value>> {
    let fields = form.fields().iter().filter_map(|field| {
        let (name, given) = given.iter().find(|(name, _)| name == field.name())?;
        Some((name.clone(), value(given, field.kind())))
    });
    let content: Map<_, _> = fields.collect();
    (!content.is_empty()).then_some(content)
}

fn value(given: &Given, kind: &Kind) -> Value {
    match (given, kind) {
        (Given::Words(words), Kind::Choices(choices)) => words
            .iter()
            .map(|word| chosen(word, choices.items()))
            .collect(),
        (Given::Words(words), kind) => match &words[..] {
            [word] => read(word, kind),
            _ => given.guess(),
        },
        (Given::Json(value), _) => value.clone(),
    }
}

/// A word as the value of a field that takes one.
pub(super) fn read(word: &str, kind: &Kind) -> Value {
    let read = match kind {
        Kind::Integer(_) | Kind::Number(_) => {
            serde_json::from_str(word).ok().filter(Value::is_number)
        }
        Kind::Boolean(_) => word.parse().ok().map(Value::Bool),
        Kind::Choice(choice) => Some(chosen(word, choice.items())),
        _ => None,
    };
    read.unwrap_or_else(|| word.into())
}

/// An item by its value, or by the title that people read.
fn chosen(word: &str, items: &[ChoiceItem]) -> Value {
    let by_value = items.iter().find(|item| item.value() == word);
    let item = by_value.or_else(|| items.iter().find(|item| item.label() == word));
    item.map_or(word, ChoiceItem::value).into()
}

#[cfg(test)]
mod tests {
    use mcp_tasks::form::Field;
    use serde_json::json;

    use super::*;
    use crate::arguments::group;

    fn form() -> Form {
        Form::new()
            .field(Field::boolean("go_on").default(true))
            .field(Field::integer("rows").min(1).optional())
            .field(Field::text("why").optional())
            .field(Field::choice("meal", [("veg", "Vegetarian"), ("fish", "Fish")]).optional())
            .field(Field::choices("days", ["mon", "tue"]).optional())
    }

    fn filled_in(words: &[&str]) -> Option<Result<Value, String>> {
        let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
        let content = content(&group(&words).expect("words"), &form())?;
        Some(form().check(content).map(Value::from))
    }

    #[test]
    fn words_get_the_types_of_their_fields_and_defaults_stand_in() {
        assert_eq!(
            filled_in(&["rows=3", "why=3"]),
            Some(Ok(json!({ "go_on": true, "rows": 3, "why": "3" })))
        );
        assert_eq!(
            filled_in(&["go_on=false"]),
            Some(Ok(json!({ "go_on": false })))
        );
        assert_eq!(
            filled_in(&["rows:=3"]),
            Some(Ok(json!({ "go_on": true, "rows": 3 })))
        );
    }

    #[test]
    fn a_choice_is_named_by_its_value_or_its_title() {
        for word in ["meal=fish", "meal=Fish"] {
            assert_eq!(
                filled_in(&[word]),
                Some(Ok(json!({ "go_on": true, "meal": "fish" }))),
                "{word}"
            );
        }
        assert_eq!(
            filled_in(&["days=mon", "days=tue"]),
            Some(Ok(json!({ "go_on": true, "days": ["mon", "tue"] })))
        );
        assert_eq!(
            filled_in(&["days=mon"]),
            Some(Ok(json!({ "go_on": true, "days": ["mon"] })))
        );
    }

    #[test]
    fn a_value_wins_over_the_title_of_another() {
        let crossed = Form::new().field(Field::choice("meal", [("veg", "fish"), ("fish", "veg")]));
        for word in ["veg", "fish"] {
            assert_eq!(read(word, crossed.fields()[0].kind()), word);
        }
    }

    #[test]
    fn a_form_without_any_of_the_names_is_not_answered() {
        assert_eq!(filled_in(&[]), None);
        assert_eq!(filled_in(&["other=1"]), None);
    }

    #[test]
    fn what_does_not_fit_is_told_by_its_name() {
        for (word, name) in [
            ("rows=0", "`rows`"),
            ("rows=x", "`rows`"),
            ("go_on=perhaps", "`go_on`"),
            ("meal=soup", "`meal`"),
            ("days=sun", "`days`"),
        ] {
            let fault = filled_in(&[word]).expect("named").expect_err(word);
            assert!(fault.starts_with(name), "{word}: {fault}");
        }
        assert!(filled_in(&["rows=1", "rows=2"]).expect("named").is_err());
    }
}
