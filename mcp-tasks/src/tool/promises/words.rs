//! What is wrong with a value, in the words that decoding has for it.

use std::fmt::Display;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;

use crate::tool::capped::capped;

pub(super) fn wrong(error: &ValidationError<'_>) -> String {
    let got = |rule: &dyn Display| format!("{rule}, got {}", shown(error.instance()));
    match error.kind() {
        Kind::Pattern { pattern } => got(&format_args!("must match the pattern `{pattern}`")),
        Kind::Minimum { limit } => got(&format_args!("must be at least {limit}")),
        Kind::Maximum { limit } => got(&format_args!("must be at most {limit}")),
        Kind::ExclusiveMinimum { limit } => got(&format_args!("must be more than {limit}")),
        Kind::ExclusiveMaximum { limit } => got(&format_args!("must be less than {limit}")),
        Kind::MultipleOf { multiple_of } => {
            got(&format_args!("must be a multiple of {multiple_of}"))
        }
        Kind::MinLength { limit } => size(error, "least", *limit, "characters"),
        Kind::MaxLength { limit } => size(error, "most", *limit, "characters"),
        Kind::MinItems { limit } => size(error, "least", *limit, "items"),
        Kind::MaxItems { limit } => size(error, "most", *limit, "items"),
        Kind::MinProperties { limit } => size(error, "least", *limit, "members"),
        Kind::MaxProperties { limit } => size(error, "most", *limit, "members"),
        Kind::Enum { options } => got(&format_args!("must be one of {}", listed(options))),
        Kind::Constant { expected_value } => got(&format_args!("must be {expected_value}")),
        Kind::UniqueItems => "must not have an item twice".to_owned(),
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => {
            "is none of the forms that the schema allows".to_owned()
        }
        Kind::OneOfMultipleValid { .. } => {
            "is more than one of the forms of which the schema allows one".to_owned()
        }
        Kind::Not { .. } => "must not be what the schema excludes by `not`".to_owned(),
        Kind::Contains => {
            "has fewer or more items than it may of those that `contains` of the schema tells of"
                .to_owned()
        }
        Kind::PropertyNames { error } => {
            format!("has a member with a wrong name: {}", wrong(error))
        }
        Kind::FalseSchema => "is not allowed here".to_owned(),
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            "takes too long to be matched with the schema's pattern".to_owned()
        }
        // The schema at fault is the model's to read anyway; the value it has sent itself.
        _ => error.masked_with("it").to_string(),
    }
}

fn size(error: &ValidationError<'_>, bound: &str, limit: u64, what: &str) -> String {
    let size = match &**error.instance() {
        Value::String(text) => text.chars().count(),
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        _ => 0,
    };
    format!("must have at {bound} {limit} {what}, got {size}")
}

fn shown(value: &Value) -> String {
    capped(&value.to_string(), 64)
}

fn listed(options: &Value) -> String {
    let options = options.as_array().into_iter().flatten();
    let options: Vec<String> = options.map(Value::to_string).collect();
    options.join(", ")
}
