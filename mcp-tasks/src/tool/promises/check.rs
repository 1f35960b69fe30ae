//! Arguments against their schema.

use std::error::Error;
use std::fmt::Write as _;

use jsonschema::error::ValidationErrorKind;
use jsonschema::paths::LocationSegment;
use jsonschema::{Retrieve, Uri, ValidationError, Validator};
use serde_json::Value;
use serde_json::value::RawValue;

use super::words;
use crate::tool::BoxFuture;
use crate::tool::call::{Call, Faults};
use crate::tool::guard::discard;
use crate::tool::output::Output;

/// Which of a schema's keywords are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Those that decoding leaves: the rest of a generated schema says what the types themselves enforce, and they
    /// may take more than it says (an alias, `null` for what is left out).
    Generated,
    /// All of them; but what decoding took as left out counts as left out.
    Handwritten,
    /// All of them, as they stand.
    Undecoded,
}

/// Keywords that decoding into a Rust type does not enforce.
const LEFT_BY_DECODING: [&str; 14] = [
    "contains",
    "dependentRequired",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
];

/// The check of one tool's arguments.
pub(super) struct Check {
    validator: Validator,
    scope: Scope,
}

impl Check {
    /// `Err` if the schema is none.
    pub(super) fn new(tool: &str, schema: &RawValue, scope: Scope) -> Result<Self, String> {
        let schema: Value = serde_json::from_str(schema.get())
            .map_err(|error| format!("tool `{tool}`: its input schema cannot be read: {error}"))?;
        let validator = jsonschema::options()
            .with_retriever(Offline)
            // A note, unless the schema's own revision of the standard says otherwise: the same for all is plainer.
            .should_validate_formats(false)
            .build(&schema)
            .map_err(|error| {
                let place = error.instance_path();
                format!("tool `{tool}`: its input schema is no JSON Schema: at `{place}`: {error}")
            })?;
        Ok(Self { validator, scope })
    }

    /// What came of decoding, with what is wrong beyond it.
    pub(super) fn kept(
        &self,
        call: &Call<'_>,
        started: Result<BoxFuture<'static, Output>, Faults>,
    ) -> Result<BoxFuture<'static, Output>, Faults> {
        // Where the arguments cannot even be read, decoding has said so, or has had no use for them.
        let Ok(arguments) = call.as_read() else {
            return started;
        };
        let broken = self.broken(arguments);
        if broken.is_empty() {
            return started;
        }
        let mut faults = match started {
            Ok(body) => {
                discard(body);
                Faults::default()
            }
            Err(faults) => faults,
        };
        let argument = |path: &str| path.split(['.', '[']).next().map(str::to_owned);
        let news = |path: &str| !argument(path).is_some_and(|name| faults.names(&name));
        let (news, _): (Vec<_>, Vec<_>) = broken.into_iter().partition(|(path, _)| news(path));
        for (path, wrong) in news {
            faults.argument(&path, &wrong);
        }
        Err(faults)
    }

    /// Where the arguments break the schema, and how.
    fn broken(&self, mut arguments: Value) -> Vec<(String, String)> {
        /// More than that helps no model.
        const LISTED: usize = 16;
        if self.validator.is_valid(&arguments) {
            return Vec::new();
        }
        if self.scope != Scope::Undecoded {
            without_nulls(&mut arguments);
        }
        let errors = self.validator.iter_errors(&arguments);
        let counting = errors.filter(|error| self.counts(error));
        counting.take(LISTED).flat_map(|e| told(&e)).collect()
    }

    fn counts(&self, error: &ValidationError<'_>) -> bool {
        if self.scope != Scope::Generated {
            return true;
        }
        match error.kind() {
            // The value has the type of one of the forms, and breaks nothing of it but what counts.
            ValidationErrorKind::AnyOf { context }
            | ValidationErrorKind::OneOfNotValid { context } => context
                .iter()
                .any(|form| form.iter().all(|error| self.counts(error))),
            ValidationErrorKind::PropertyNames { error } => self.counts(error),
            kind => LEFT_BY_DECODING.contains(&kind.keyword()),
        }
    }
}

/// Models send `null` for what they leave out, and decoding takes it so.
fn without_nulls(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(without_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(without_nulls),
        _ => {}
    }
}

/// The places that an error is about, and what is wrong there.
fn told(error: &ValidationError<'_>) -> Vec<(String, String)> {
    let at = path(error);
    let member = |name: &str| match at.as_str() {
        "" => name.to_owned(),
        at => format!("{at}.{name}"),
    };
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            vec![(member(name), "missing".to_owned())]
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => unexpected
            .iter()
            .map(|name| (member(name), "unknown".to_owned()))
            .collect(),
        _ if at.is_empty() => vec![("arguments".to_owned(), words::wrong(error))],
        _ => vec![(at, words::wrong(error))],
    }
}

/// Where in the arguments, as decoding says it: `filter.tags[2]`.
fn path(error: &ValidationError<'_>) -> String {
    let mut path = String::new();
    for segment in error.instance_path() {
        match segment {
            LocationSegment::Property(name) if path.is_empty() => path.push_str(&name),
            LocationSegment::Property(name) => {
                path.push('.');
                path.push_str(&name);
            }
            LocationSegment::Index(index) => {
                // Writing to a String cannot fail.
                let _ = write!(path, "[{index}]");
            }
        }
    }
    path
}

/// A schema stands by itself. Said here, because another crate of the same build may turn on the validator's own way
/// of fetching what a schema refers to.
struct Offline;

impl Retrieve for Offline {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn Error + Send + Sync>> {
        Err(format!("`{uri}` is not part of the schema, and nothing is fetched").into())
    }
}
