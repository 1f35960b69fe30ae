//! `null` that stands for what is left out: models send it so, and decoding takes it so.

use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

/// How many errors are looked at; each costs a look-up.
const LOOKED_AT: usize = 1000;

/// Takes out each `null` that the schema refuses. Where it may be one, it is a value: a member that is required and may
/// be `null` is there.
pub(super) fn leave_out_refused(arguments: &mut Value, validator: &Validator) {
    let refused: Vec<(String, Reach)> = validator
        .iter_errors(arguments)
        .take(LOOKED_AT)
        .filter_map(|error| Some((error.instance_path().as_str().to_owned(), reach(&error)?)))
        .collect();
    for (pointer, reach) in refused {
        match (reach, arguments.pointer_mut(&pointer)) {
            (Reach::Itself, Some(Value::Null)) => remove(arguments, &pointer),
            (Reach::Members, Some(Value::Object(members))) => {
                members.retain(|_, member| !member.is_null());
            }
            (Reach::Below, Some(value)) => leave_out_all(value),
            _ => {}
        }
    }
}

/// Takes out each `null` that is a member of something.
pub(super) fn leave_out_all(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(leave_out_all);
        }
        Value::Array(items) => items.iter_mut().for_each(leave_out_all),
        _ => {}
    }
}

/// Which values an error may be about, from its place on.
enum Reach {
    Itself,
    Members,
    Below,
}

fn reach(error: &ValidationError<'_>) -> Option<Reach> {
    if error.instance().is_null() {
        return Some(Reach::Itself);
    }
    match error.kind() {
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => Some(Reach::Below),
        Kind::MaxProperties { .. }
        | Kind::AdditionalProperties { .. }
        | Kind::UnevaluatedProperties { .. }
        | Kind::FalseSchema => Some(Reach::Members),
        _ => None,
    }
}

/// Takes out the member at a JSON pointer; items of arrays keep their places.
fn remove(arguments: &mut Value, pointer: &str) {
    let Some((parent, name)) = pointer.rsplit_once('/') else {
        return;
    };
    if let Some(Value::Object(members)) = arguments.pointer_mut(parent) {
        members.remove(&name.replace("~1", "/").replace("~0", "~"));
    }
}
