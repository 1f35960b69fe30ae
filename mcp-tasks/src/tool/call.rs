//! One call's arguments, and what was wrong with them.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::capped::{Capped, capped};
#[cfg(feature = "validate")]
use super::decode::{Fault, located};
use super::error::ToolError;
use super::nearest::nearest;
use super::spec::ToolSpec;
use crate::context::Context;

/// A call as a tool's parameters see it.
pub struct Call<'a> {
    /// Arguments that were read in another spelling than they came in.
    #[cfg(feature = "validate")]
    respelt: std::cell::RefCell<Vec<(Option<&'static str>, String)>>,
    context: &'a Context,
    /// The whole arguments object; `{}` where the call has none.
    json: &'a str,
    entries: Entries<'a>,
}

/// What a call says of one argument.
pub(super) enum Found<'a> {
    Nothing,
    Once(&'a str),
    /// Two values under one name: which one is meant cannot be known.
    Twice,
}

impl<'a> Call<'a> {
    /// `arguments` is the object as it came, `None` where the call has none; `null` counts as none.
    pub(crate) fn new(
        context: &'a Context,
        arguments: Option<&'a RawValue>,
    ) -> Result<Self, Faults> {
        let json = arguments
            .map(RawValue::get)
            .filter(|json| *json != "null")
            .unwrap_or("{}");
        match entries(json) {
            Ok(entries) => Ok(Self {
                #[cfg(feature = "validate")]
                respelt: std::cell::RefCell::default(),
                context,
                json,
                entries,
            }),
            Err(error) => Err(Faults::one(format!("expected an object ({error})"))),
        }
    }

    /// The call's context.
    pub fn context(&self) -> &'a Context {
        self.context
    }

    /// Starts the list of faults with the arguments that `spec` does not know.
    #[doc(hidden)]
    pub fn faults(&self, spec: &'static ToolSpec) -> Faults {
        let mut faults = Faults {
            open: spec.allow_unknown,
            ..Faults::default()
        };
        for (key, _) in &self.entries.0 {
            if !spec.params.iter().any(|param| param.name == key) {
                faults.unknown(key);
            }
        }
        faults
    }

    /// All arguments as one value.
    pub(super) fn whole(&self) -> Result<Value, Faults> {
        serde_json::from_str(self.json)
            .map_err(|error| Faults::one(format!("cannot be read ({error})")))
    }

    /// Notes how an argument was read, or all of them for `None`, if not as it came.
    #[cfg_attr(
        not(feature = "validate"),
        allow(clippy::unused_self, reason = "only `validate` looks at the spelling")
    )]
    pub(super) fn read_as(&self, name: Option<&'static str>, spelling: Cow<'_, str>) {
        #[cfg(feature = "validate")]
        if let Cow::Owned(spelling) = spelling {
            self.respelt.borrow_mut().push((name, spelling));
        }
        #[cfg(not(feature = "validate"))]
        let _ = (name, spelling);
    }

    /// The arguments as they were read, or which of them holds what no `Value` can, and where.
    #[cfg(feature = "validate")]
    pub(super) fn as_read(&self) -> Result<Value, Fault> {
        let respelt = self.respelt.borrow();
        let all = respelt.iter().find(|(name, _)| name.is_none());
        let reread = all.and_then(|(_, all)| entries(all).ok());
        let mut object = serde_json::Map::new();
        for (name, raw) in &reread.as_ref().unwrap_or(&self.entries).0 {
            let spelling = respelt.iter().find(|(other, _)| *other == Some(&**name));
            let json = spelling.map_or(raw.get(), |(_, spelling)| spelling);
            let value = serde_json::from_str(json).map_err(|error| {
                let (path, wrong) = located(json, &error);
                (format!("{name}{path}"), wrong)
            })?;
            object.insert(name.clone().into_owned(), value);
        }
        Ok(Value::Object(object))
    }

    pub(super) fn json(&self) -> &'a str {
        self.json
    }

    pub(super) fn find(&self, name: &str) -> Found<'a> {
        let mut matching = self.entries.0.iter().filter(|(key, _)| key == name);
        match (matching.next(), matching.next()) {
            (None, _) => Found::Nothing,
            (Some((_, raw)), None) => Found::Once(raw.get()),
            (Some(_), Some(_)) => Found::Twice,
        }
    }
}

/// An object's members in their order, values still as text. The text may be nested as deep as it
/// likes.
pub(super) struct Entries<'a>(pub(super) Vec<(Cow<'a, str>, &'a RawValue)>);

pub(super) fn entries(json: &str) -> Result<Entries<'_>, serde_json::Error> {
    serde_json::from_str(json)
}

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Entries<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut all = Vec::new();
                while let Some((Key(key), value)) = map.next_entry()? {
                    all.push((key, value));
                }
                Ok(Entries(all))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// A member's name, borrowed unless it is written with escapes.
#[derive(serde::Deserialize)]
#[serde(transparent)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// What is wrong with one argument.
#[derive(Debug)]
struct ArgumentFault {
    /// Its name, and where in it the fault lies: `filter.tags[2]`.
    path: String,
    wrong: String,
}

impl fmt::Display for ArgumentFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.path, self.wrong)
    }
}

/// The name of an argument that no parameter takes, as it is told.
fn shortened(name: &str) -> String {
    capped(name, 64)
}

/// Everything wrong with one call's parameters.
#[derive(Debug, Default)]
pub struct Faults {
    /// What is wrong with each bad argument.
    arguments: Vec<ArgumentFault>,
    /// The first refusal of an injected value.
    pub(crate) refused: Option<ToolError>,
    /// Given, but no parameter takes it.
    unknown: Vec<String>,
    unknown_left_out: usize,
    /// Names that parameters take.
    known: Vec<&'static str>,
    /// Unknown arguments are none of ours to judge.
    open: bool,
}

impl Faults {
    /// A fault of the arguments as a whole.
    fn one(wrong: String) -> Self {
        let path = "arguments".to_owned();
        Self {
            arguments: vec![ArgumentFault { path, wrong }],
            ..Self::default()
        }
    }

    /// `Err` with everything, if anything was noted.
    #[doc(hidden)]
    pub fn none(self) -> Result<(), Self> {
        if self.arguments_are_fine() && self.refused.is_none() {
            Ok(())
        } else {
            Err(self)
        }
    }

    /// The refusal of an injected value, where the arguments give no reason to try again.
    pub(crate) fn refusal(&mut self) -> Option<ToolError> {
        if self.arguments_are_fine() {
            self.refused.take()
        } else {
            None
        }
    }

    fn arguments_are_fine(&self) -> bool {
        self.arguments.is_empty() && self.unknown.is_empty()
    }

    /// What is wrong with the arguments, for the model: a line for each, at most 8 KiB.
    pub(crate) fn text(&self, tool: &str) -> String {
        const CAP: usize = 8 * 1024;
        let mut text = Capped::new(CAP);
        // An error only says that the text was cut, and the text says so too.
        let _ = write!(text, "Invalid arguments for `{tool}`:");
        for sentence in self.unknown_sentences() {
            let _ = write!(text, "\n- {sentence}");
        }
        for fault in &self.arguments {
            let _ = write!(text, "\n- {fault}");
        }
        text.finish()
    }

    /// Notes what is wrong with the argument at `path`.
    pub(super) fn argument(&mut self, path: &str, wrong: &str) {
        /// One bad value, quoted by its error, must not crowd out the others; nor must the names that lead to it.
        const CAP: usize = 600;
        const PATH: usize = 200;
        self.arguments.push(ArgumentFault {
            path: capped(path, PATH),
            wrong: capped(wrong, CAP),
        });
    }

    /// Whether a fault of the argument `name` is known.
    #[cfg(feature = "validate")]
    pub(super) fn names(&self, name: &str) -> bool {
        let behind = |fault: &ArgumentFault| fault.path.strip_prefix(name).map(str::to_owned);
        let mut behind = self.arguments.iter().filter_map(behind);
        behind.any(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
            || self.is_told_as_unknown(name)
    }

    #[cfg(feature = "validate")]
    fn is_told_as_unknown(&self, name: &str) -> bool {
        self.unknown.contains(&shortened(name))
            || (self.unknown_left_out > 0 && !self.known.contains(&name))
    }

    /// Notes that a parameter takes `name`.
    pub(super) fn known(&mut self, name: &'static str) {
        self.known.push(name);
    }

    /// Notes an argument that no parameter takes.
    pub(super) fn unknown(&mut self, name: &str) {
        const LISTED: usize = 8;
        if self.open {
            return;
        }
        if self.unknown.len() < LISTED {
            self.unknown.push(shortened(name));
        } else {
            self.unknown_left_out += 1;
        }
    }

    /// From here on a parameter takes the whole object, so its own type judges what is unknown.
    pub(super) fn open(&mut self) {
        self.open = true;
        self.unknown.clear();
        self.unknown_left_out = 0;
    }

    fn unknown_sentences(&self) -> Vec<String> {
        let known: Vec<_> = self.known.iter().map(|name| format!("`{name}`")).collect();
        let known = match &known[..] {
            [] => "the tool takes none".to_owned(),
            names => format!("known: {}", names.join(", ")),
        };
        let sentence = |name: &String| match nearest(name, &self.known) {
            Some(near) => format!("unknown argument `{name}`; did you mean `{near}`? ({known})"),
            None => format!("unknown argument `{name}` ({known})"),
        };
        let mut all: Vec<_> = self.unknown.iter().map(sentence).collect();
        if self.unknown_left_out > 0 {
            all.push(format!(
                "and {} more unknown arguments",
                self.unknown_left_out
            ));
        }
        all
    }
}
