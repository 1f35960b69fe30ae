//! Arguments against their schema.

use std::error::Error;
use std::fmt::Write as _;

use jsonschema::error::ValidationErrorKind;
use jsonschema::paths::LocationSegment;
use jsonschema::{PatternOptions, Retrieve, Uri, ValidationError, Validator};
use serde_json::Value;
use serde_json::value::RawValue;

use super::ways::Ways;
use super::{nulls, words};
use crate::tool::BoxFuture;
use crate::tool::call::{Call, Faults};
use crate::tool::guard::discard;
use crate::tool::output::Output;
use crate::tool::schema;

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
const LEFT_BY_DECODING: [&str; 16] = [
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
    "not",
    "pattern",
    "uniqueItems",
];

/// Whether a generated schema has any of these keywords. Some of them a type may bring along and enforce itself, as `u8`
/// does its bounds; the schema does not tell.
pub(super) fn has_left(schema: &RawValue) -> bool {
    serde_json::from_str(schema.get()).is_ok_and(|schema| {
        schema::has_any(&schema, &|schema| {
            let has = |keyword: &&str| schema.contains_key(*keyword);
            LEFT_BY_DECODING.iter().any(has)
                || schema.get("enum").is_some_and(schema::has_no_variant)
                || schema.get("const").is_some_and(schema::is_no_variant)
        })
    })
}

/// How often a pattern may go back and try another way, for each text. Patterns without look-around and back references,
/// and most with them, never do; for the others this is a few milliseconds.
const BACKTRACKS: usize = 10_000;

/// The check of one tool's arguments.
pub(super) struct Check {
    validator: Validator,
    scope: Scope,
    ways: Ways,
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
            .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(BACKTRACKS))
            .build(&schema)
            .map_err(|error| {
                let place = match error.instance_path().as_str() {
                    "" => String::new(),
                    place => format!("at `{place}`: "),
                };
                format!("tool `{tool}`: its input schema is no JSON Schema: {place}{error}")
            })?;
        Ok(Self {
            validator,
            scope,
            ways: Ways::through(&schema),
        })
    }

    /// What came of decoding, with what is wrong beyond it.
    pub(super) fn kept(
        &self,
        call: &Call<'_>,
        started: Result<BoxFuture<'static, Output>, Faults>,
    ) -> Result<BoxFuture<'static, Output>, Faults> {
        let broken = match call.as_read() {
            Ok(arguments) => self.broken(arguments),
            // What cannot be read cannot be checked, though decoding may have had no use for it.
            Err(unread) => vec![unread],
        };
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
        // Whether they are valid is found with what is known of each part; how they are not, in every way there is.
        let few = self.ways.are_few(&arguments);
        if self.scope != Scope::Undecoded {
            if few {
                nulls::leave_out_refused(&mut arguments, &self.validator);
            } else {
                nulls::leave_out_all(&mut arguments);
            }
            if self.validator.is_valid(&arguments) {
                return Vec::new();
            }
        }
        if !few {
            let wrong = "break the schema, too large or nested too deep to say where".to_owned();
            return vec![("arguments".to_owned(), wrong)];
        }
        let errors = self.validator.iter_errors(&arguments);
        let counting = errors.filter(|error| self.counts(error));
        let mut listed = Vec::new();
        for fault in counting.flat_map(|error| told(&error, &arguments)) {
            // Two ways through the schema may find the same.
            if !listed.contains(&fault) {
                listed.push(fault);
            }
            if listed.len() == LISTED {
                break;
            }
        }
        listed
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
            // Of a Rust enum's, decoding may take more than the schema says.
            ValidationErrorKind::Enum { options } => schema::has_no_variant(options),
            ValidationErrorKind::Constant { expected_value } => {
                schema::is_no_variant(expected_value)
            }
            kind => LEFT_BY_DECODING.contains(&kind.keyword()),
        }
    }
}

/// The places that an error is about, and what is wrong there.
fn told(error: &ValidationError<'_>, arguments: &Value) -> Vec<(String, String)> {
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
        // `additionalProperties: false` where there are no others.
        ValidationErrorKind::FalseSchema
            if error
                .schema_path()
                .as_str()
                .ends_with("/additionalProperties") =>
        {
            let object = arguments.pointer(error.instance_path().as_str());
            let members = object.and_then(Value::as_object).into_iter().flatten();
            members
                .map(|(name, _)| (member(name), "unknown".to_owned()))
                .collect()
        }
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
