//! A tool as the server sees it: parameters in, results out, and the schemas of both.

mod bounds;
pub(crate) mod call;
mod capped;
mod decode;
pub(crate) mod describe;
pub(crate) mod error;
pub(crate) mod extract;
pub(crate) mod guard;
mod icons;
pub(crate) mod json;
pub(crate) mod meta;
mod missing;
mod nearest;
pub(crate) mod output;
pub(crate) mod param;
pub(crate) mod promises;
pub(crate) mod run;
pub(crate) mod runtime;
mod scan;
mod schema;
pub(crate) mod spec;
#[cfg(test)]
mod tests;
mod words;

use std::any::Any;

pub(crate) use self::call::{Call, Faults};
pub(crate) use self::describe::Describe;
pub(crate) use self::output::Output;
pub(crate) use self::spec::ToolSpec;
pub use crate::model::BoxFuture;

/// A function that `#[mcp_tool]` turned into a tool. The attribute implements it; it is not meant to be written by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "not a tool",
    note = "put `#[mcp_tool]` on the function"
)]
pub trait Tool: 'static {
    /// What the attribute and the signature say.
    #[doc(hidden)]
    const SPEC: &'static ToolSpec;

    /// Tells the schemas of parameters and result, and what the tool needs from its server.
    #[doc(hidden)]
    fn describe(d: &mut Describe);

    /// Decodes every parameter; `Err` means that no line of the function has run.
    #[doc(hidden)]
    fn start(call: &Call<'_>) -> Result<BoxFuture<'static, Output>, Faults>;
}

/// One tool as `tools![]` lists it.
#[derive(Clone, Copy)]
pub struct ToolEntry {
    pub(crate) spec: &'static ToolSpec,
    pub(crate) describe: fn(&mut Describe),
    pub(crate) start: fn(&Call<'_>) -> Result<BoxFuture<'static, Output>, Faults>,
    /// What its server needs for it and for few others, which alone knows what that is.
    pub(crate) needs: Option<&'static (dyn Any + Send + Sync)>,
}

impl ToolEntry {
    /// The entry of `T`.
    pub const fn of<T: Tool>() -> Self {
        Self {
            spec: T::SPEC,
            describe: T::describe,
            start: T::start,
            needs: None,
        }
    }

    /// The same with what its server needs for it.
    pub(crate) const fn needing(mut self, needs: &'static (dyn Any + Send + Sync)) -> Self {
        self.needs = Some(needs);
        self
    }
}

/// The tools of one [`tools![]`](crate::tools) list, for [`Server::tools`](crate::Server::tools), with the version of the crate that wrote it.
#[derive(Clone)]
pub struct Tools {
    pub(crate) entries: Vec<ToolEntry>,
    pub(crate) version: &'static str,
}

impl Tools {
    #[doc(hidden)]
    pub fn new(entries: &[ToolEntry], version: &'static str) -> Self {
        Self {
            entries: entries.to_vec(),
            version,
        }
    }
}

impl std::fmt::Debug for Tools {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.entries.iter().map(|entry| entry.spec.name))
            .finish()
    }
}
