//! Unit enums are one list of words, whether or not their variants have docs.

use serde_json::{Value, json};

use super::Object;

/// `oneOf: [{const, description}, ..]` becomes `enum: [..]`, with the variants' docs in the
/// description.
pub(super) fn fold(schema: &mut Object) {
    for keyword in ["oneOf", "anyOf"] {
        let Some(words) = schema
            .get(keyword)
            .and_then(Value::as_array)
            .and_then(|all| words(all))
        else {
            continue;
        };
        let docs: Vec<_> = words
            .iter()
            .filter_map(|(word, doc)| Some(format!("- `{word}`: {}", doc.as_ref()?)))
            .collect();
        schema.remove(keyword);
        if !docs.is_empty() {
            let own = schema.get("description").and_then(Value::as_str);
            let text = own
                .into_iter()
                .map(str::to_owned)
                .chain([docs.join("\n")])
                .collect::<Vec<_>>();
            schema.insert("description".to_owned(), json!(text.join("\n\n")));
        }
        let words: Vec<_> = words.into_iter().map(|(word, _)| word).collect();
        schema.insert("type".to_owned(), json!("string"));
        schema.insert("enum".to_owned(), words.into());
    }
}

/// Whether a `const`, or a member of an `enum`, is what no variant is called: those of Rust enums are texts, with `null`
/// beside them where there may be none.
pub(in crate::tool) fn is_no_variant(value: &Value) -> bool {
    !matches!(value, Value::String(_) | Value::Null)
}

/// Whether an `enum` has such a member, and so comes from no Rust enum that decoding enforces.
pub(in crate::tool) fn has_no_variant(options: &Value) -> bool {
    let mut options = options.as_array().into_iter().flatten();
    options.any(is_no_variant)
}

/// What a branch that is nothing but words may say.
const PLAIN: [&str; 6] = [
    "type",
    "const",
    "enum",
    "description",
    "title",
    "deprecated",
];

/// Each word and its doc, if every branch is a word or a list of words.
fn words(branches: &[Value]) -> Option<Vec<(String, Option<String>)>> {
    let mut words = Vec::new();
    for branch in branches {
        let branch = branch.as_object()?;
        if branch.keys().any(|key| !PLAIN.contains(&key.as_str())) {
            return None;
        }
        let doc = branch
            .get("description")
            .and_then(Value::as_str)
            .map(str::to_owned);
        match (branch.get("const"), branch.get("enum")) {
            (Some(Value::String(word)), None) => words.push((word.clone(), doc)),
            (None, Some(Value::Array(several))) => {
                for word in several {
                    words.push((word.as_str()?.to_owned(), doc.clone()));
                }
            }
            _ => return None,
        }
    }
    (!words.is_empty()).then_some(words)
}
