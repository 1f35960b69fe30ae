//! The arguments of a call: words of the command line, typed and checked by the tool's schema.
//!
//! `word` takes words apart, `typed` makes JSON of them, `check` finds what does not fit.

mod check;
mod typed;
mod word;

use serde_json::{Map, Value};

pub(crate) use self::check::{listed, nearest};
pub(crate) use self::word::{Given, group};
use crate::schema::Schema;

/// Arguments that fit.
#[derive(Debug, PartialEq)]
pub(crate) struct Read {
    pub(crate) arguments: Value,
    /// Why only the types of words were compared with the schema, where it cannot be used for more.
    pub(crate) unusable: Option<String>,
}

/// The arguments that `words` give to a tool with the schema `root`.
///
/// # Errors
/// All faults, a line each, every one naming its argument.
pub(crate) fn read(words: &[String], root: &Value) -> Result<Read, String> {
    let schema = Schema::new(root);
    let given = group(words)?;
    let mut arguments = Map::new();
    let mut faults = Vec::new();
    for (name, given) in &given {
        match schema.property(name) {
            Some(property) => match typed::read(given, property) {
                Ok(value) => drop(arguments.insert(name.clone(), value)),
                Err(why) => faults.push(format!("`{name}`: {why}")),
            },
            None if schema.is_open() => drop(arguments.insert(name.clone(), given.guess())),
            None => faults.push(check::unknown(name, schema)),
        }
    }
    let is_given = |name: &str| given.iter().any(|(other, _)| other == name);
    faults.extend(check::missing(schema, is_given));
    let arguments = Value::Object(arguments);
    let mut unusable = None;
    if faults.is_empty() {
        match check::values(&arguments, root) {
            Ok(found) => faults = found,
            Err(why) => unusable = Some(why),
        }
    }
    if faults.is_empty() {
        Ok(Read {
            arguments,
            unusable,
        })
    } else {
        Err(faults.join("\n"))
    }
}

/// The same without any comparison: the schema is a help in typing and no more.
///
/// # Errors
/// If a word is none of an argument.
pub(crate) fn read_unchecked(words: &[String], root: &Value) -> Result<Value, String> {
    let schema = Schema::new(root);
    let typed = |(name, given): (String, Given)| {
        let property = schema.property(&name);
        let value = property.and_then(|property| typed::read(&given, property).ok());
        (name, value.unwrap_or_else(|| given.guess()))
    };
    Ok(group(words)?.into_iter().map(typed).collect())
}
