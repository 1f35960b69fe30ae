//! What a schema promises beyond what decoding into Rust types enforces: checked with feature `validate`, told of
//! at start-up without it.

#[cfg(feature = "validate")]
mod check;
#[cfg(feature = "validate")]
mod nulls;
#[cfg(feature = "validate")]
mod ways;
#[cfg(feature = "validate")]
mod words;

use super::call::{Call, Faults};
#[cfg(not(feature = "validate"))]
use super::describe::Shaping;
use super::extract::Requirements;
use super::output::Output;
use super::{BoxFuture, ToolEntry};
use crate::model::tool::ToolDef;

/// A tool's promises; made when its server is, not with each call.
#[derive(Default)]
pub(crate) struct Promises {
    #[cfg(feature = "validate")]
    check: Option<check::Check>,
}

#[cfg(feature = "validate")]
impl Promises {
    /// Those of a function. `Err` if its schema is none.
    pub(crate) fn of_function(
        entry: &ToolEntry,
        def: &ToolDef,
        _: &Requirements,
    ) -> Result<Self, String> {
        use check::{Check, Scope};
        let spec = entry.spec;
        let scope = match spec.input_schema {
            Some(_) => Scope::Handwritten,
            None => Scope::Generated,
        };
        let needed = scope == Scope::Handwritten || check::has_left(&def.input_schema);
        let check = needed.then(|| Check::new(&def.name, &def.input_schema, scope));
        let check = check.transpose()?;
        Ok(Self { check })
    }

    /// Those of a tool known at run time, whose arguments nothing decodes.
    pub(crate) fn of_runtime(def: &ToolDef) -> Result<Self, String> {
        let check = check::Check::new(&def.name, &def.input_schema, check::Scope::Undecoded)?;
        Ok(Self { check: Some(check) })
    }

    /// What came of decoding, with what is wrong beyond it.
    pub(crate) fn kept(
        &self,
        call: &Call<'_>,
        started: Result<BoxFuture<'static, Output>, Faults>,
    ) -> Result<BoxFuture<'static, Output>, Faults> {
        match &self.check {
            Some(check) => check.kept(call, started),
            None => started,
        }
    }
}

#[cfg(not(feature = "validate"))]
#[allow(
    clippy::unnecessary_wraps,
    clippy::unused_self,
    reason = "with `validate` there is something to do, and it can fail"
)]
impl Promises {
    /// Warns of those that nobody will check.
    pub(crate) fn of_function(
        entry: &ToolEntry,
        def: &ToolDef,
        requirements: &Requirements,
    ) -> Result<Self, String> {
        let unchecked = |shaping: &Shaping| (shaping.unchecked)(entry.spec, entry.describe, def);
        if let Some(warning) = requirements.shaping.and_then(unchecked) {
            tracing::warn!("{warning}; the feature `validate` checks it");
        }
        Ok(Self::default())
    }

    /// The closure gets the arguments as they came, so that it is the one to check them.
    pub(crate) fn of_runtime(_: &ToolDef) -> Result<Self, String> {
        Ok(Self::default())
    }

    pub(crate) fn kept(
        &self,
        _: &Call<'_>,
        started: Result<BoxFuture<'static, Output>, Faults>,
    ) -> Result<BoxFuture<'static, Output>, Faults> {
        started
    }
}

#[cfg(all(test, feature = "validate"))]
mod tests;
