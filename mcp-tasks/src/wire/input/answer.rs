//! Reading an answer. Each level is parsed only as far as it is needed, so that deep nesting in a part nobody
//! reads costs nothing, and in a part somebody reads is an error and not an overflow.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::super::envelope::Members;
use crate::model::form::Form;
use crate::model::input::{Action, InputRequest, InputResponse};

/// Reads an answer and checks it against its question; `Err` says what does not fit.
pub(crate) fn read(ask: &InputRequest, answer: &RawValue) -> Result<InputResponse, String> {
    let answer =
        object(answer).ok_or_else(|| format!("expected an object, got {}", kind(answer)))?;
    match ask {
        InputRequest::Form { form, .. } => elicited(&answer, Some(form)),
        InputRequest::Url { .. } => elicited(&answer, None),
        InputRequest::Sample(_) => sampled(&answer),
        InputRequest::Roots => listed(&answer),
    }
}

/// `ElicitResult`. Content counts only where a form was accepted; elsewhere clients send `null`, `{}` or leftovers.
fn elicited(answer: &Members<'_>, form: Option<&Form>) -> Result<InputResponse, String> {
    let action = action(answer)?;
    let content = match form {
        Some(form) if action == Action::Accept => form.check(content(answer, form)?)?,
        _ => Map::new(),
    };
    Ok(InputResponse::Elicit { action, content })
}

fn action(answer: &Members<'_>) -> Result<Action, String> {
    const EXPECTED: &str = "`action`: expected \"accept\", \"decline\" or \"cancel\", got";
    let Some(raw) = answer.get("action") else {
        return Err(format!("{EXPECTED} nothing"));
    };
    match text(raw).as_deref() {
        Some("accept") => Ok(Action::Accept),
        Some("decline") => Ok(Action::Decline),
        Some("cancel") => Ok(Action::Cancel),
        Some(other) => Err(format!(
            "{EXPECTED} {:?}",
            other.chars().take(40).collect::<String>()
        )),
        None => Err(format!("{EXPECTED} {}", kind(raw))),
    }
}

/// The fields of `content` that the form has. Nothing sent is an empty object: a form may need no more.
fn content(answer: &Members<'_>, form: &Form) -> Result<Map<String, Value>, String> {
    let Some(raw) = answer.get("content").filter(|raw| raw.get() != "null") else {
        return Ok(Map::new());
    };
    let sent =
        object(raw).ok_or_else(|| format!("`content`: expected an object, got {}", kind(raw)))?;
    let mut content = Map::new();
    for field in form.fields() {
        if let Some(raw) = sent.get(&field.name) {
            content.insert(field.name.clone(), value(&field.name, raw)?);
        }
    }
    Ok(content)
}

/// `CreateMessageResult`: `content` is a block, since 2025-11-25 also a list of them.
fn sampled(answer: &Members<'_>) -> Result<InputResponse, String> {
    for (key, expected) in [
        ("role", "a string"),
        ("model", "a string"),
        ("content", "an object or a list"),
    ] {
        let got = answer.get(key).map_or("nothing", |raw| kind(raw));
        let fits = if key == "content" {
            ["an object", "a list"].contains(&got)
        } else {
            got == expected
        };
        if !fits {
            return Err(format!("`{key}`: expected {expected}, got {got}"));
        }
    }
    let mut result = Map::new();
    for (key, raw) in &answer.0 {
        result.insert(key.clone().into_owned(), value(key, raw)?);
    }
    Ok(InputResponse::Sample(result))
}

/// `ListRootsResult`: each root is an object with a `uri`, and with a `name` that is a string if there is one.
fn listed(answer: &Members<'_>) -> Result<InputResponse, String> {
    let Some(raw) = answer.get("roots") else {
        return Err("`roots`: expected a list, got nothing".to_owned());
    };
    let Value::Array(roots) = value("roots", raw)? else {
        return Err(format!("`roots`: expected a list, got {}", kind(raw)));
    };
    let roots = roots.into_iter().enumerate().map(|(index, root)| match root {
        Value::Object(root)
            if root.get("uri").is_some_and(Value::is_string)
                && root.get("name").is_none_or(|name| name.is_string() || name.is_null()) =>
        {
            Ok(root)
        }
        _ => Err(format!("`roots[{index}]`: expected an object with a string `uri`, and perhaps a string `name`")),
    });
    Ok(InputResponse::Roots(roots.collect::<Result<_, _>>()?))
}

fn object(raw: &RawValue) -> Option<Members<'_>> {
    Members::deserialize(raw).ok()
}

fn text(raw: &RawValue) -> Option<String> {
    String::deserialize(raw).ok()
}

/// A value in full. What is still JSON and yet does not parse is nested deeper than the parser goes.
fn value(key: &str, raw: &RawValue) -> Result<Value, String> {
    Value::deserialize(raw).map_err(|_| format!("`{key}`: nested too deeply or not readable"))
}

/// What a value is, told by its first byte.
fn kind(raw: &RawValue) -> &'static str {
    match raw.get().as_bytes().first() {
        Some(b'{') => "an object",
        Some(b'[') => "a list",
        Some(b'"') => "a string",
        Some(b'n') => "null",
        Some(b't' | b'f') => "a boolean",
        _ => "a number",
    }
}
