//! Everything a file with tools usually names: `use mcp_tasks::prelude::*;`.

pub use std::time::Duration;

#[cfg(feature = "server")]
pub use crate::{
    Answer, Args, AskError, CallToolResult, CancellationToken, Content, Context, ElicitForm,
    Extension, Image, Json, Limits, LogLevel, Principal, Server, State, ToolError,
};
#[cfg(feature = "macros")]
pub use crate::{mcp_tool, tools};
