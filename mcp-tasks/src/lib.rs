// On the front page these lead to the sources, here to the items: the first definition counts.
//! [attribute]: macro@crate::mcp_tool
//! [guide]: crate::guide
//! [parameters]: crate::guide::parameters
//! [results]: crate::guide::results
//! [tasks]: crate::guide::tasks
//! [asking]: crate::guide::asking
//! [cancellation]: crate::guide::cancellation
//! [state]: crate::guide::state
//! [owners]: crate::guide::owners
//! [testing]: crate::guide::testing
//! [http]: crate::guide::http
//! [what_reaches_whom]: crate::guide::what_reaches_whom
//! [limits]: crate::guide::limits
//! [versions]: crate::guide::versions
//! [from_rmcp]: crate::guide::from_rmcp
//! [clients]: crate::clients
#![cfg_attr(feature = "client", doc = "[client]: crate::client")]
//!
// Its test needs `testing`, without which doctests would not compile.
#![cfg_attr(any(not(doctest), feature = "testing"), doc = include_str!("../README.md"))]
// On docs.rs every item says which feature it needs, but for the one that all of them need.
#![cfg_attr(docsrs, feature(doc_cfg), doc(auto_cfg(hide(feature = "server"))))]
// Stores of one's own get the task engine's whole vocabulary as `pub` items. Without their feature these are out of
// reach, and some of them are for other stores and transports than this process's own. With it, both lints look on.
#![cfg_attr(
    not(feature = "unstable-store"),
    allow(
        unreachable_pub,
        dead_code,
        reason = "the vocabulary of `store` is whole with or without its feature"
    )
)]

#[cfg(feature = "client")]
#[cfg_attr(
    not(feature = "client-http"),
    allow(dead_code, reason = "some of it is for HTTP alone")
)]
pub mod client;
#[cfg(feature = "server")]
mod context;
#[cfg_attr(
    not(feature = "unstable-store"),
    allow(dead_code, unreachable_pub, reason = "public by way of `store` alone")
)]
mod model;
#[cfg(feature = "server")]
mod server;
#[cfg(feature = "server")]
#[cfg_attr(
    not(feature = "unstable-store"),
    allow(dead_code, unreachable_pub, reason = "public by way of `store` alone")
)]
mod task;
#[cfg(feature = "testing")]
pub mod testing;
#[cfg(feature = "server")]
mod tool;
#[cfg(feature = "server")]
mod transport;
#[cfg(any(feature = "server", feature = "client"))]
mod wire;

#[doc(hidden)]
#[cfg(feature = "server")]
pub mod __private;
#[cfg(doc)]
#[doc = include_str!("../docs/clients.md")]
pub mod clients {}
#[cfg(doc)]
#[doc = include_str!("../docs/servers.md")]
pub mod servers {}
// Pages and nothing else: rustdoc alone sees them. Their examples need every feature that they speak of.
#[cfg(all(
    doc,
    any(
        not(doctest),
        all(
            feature = "axum",
            feature = "macros",
            feature = "stdio",
            feature = "testing"
        )
    )
))]
#[cfg_attr(
    not(all(
        feature = "axum",
        feature = "macros",
        feature = "stdio",
        feature = "testing"
    )),
    allow(
        rustdoc::broken_intra_doc_links,
        reason = "the pages speak of items of every feature"
    )
)]
#[cfg_attr(docsrs, doc(auto_cfg = false))]
pub mod guide;
pub mod prelude;

/// Makes a form of a flat struct, or a choice of a unit enum. What it takes is told at the trait,
/// [`ElicitForm`](trait@crate::ElicitForm).
///
/// ```
/// use mcp_tasks::ElicitForm;
///
/// #[derive(ElicitForm)]
/// struct Seats {
///     /// How many
///     #[form(min = 1, max = 12, default = 2)]
///     seats: u8,
/// }
/// ```
#[cfg(feature = "macros")]
pub use mcp_tasks_macros::ElicitForm;
#[cfg(feature = "macros")]
#[doc = include_str!("../docs/mcp_tool.md")]
pub use mcp_tasks_macros::mcp_tool;
#[cfg(feature = "macros")]
#[doc = include_str!("../docs/tools.md")]
pub use mcp_tasks_macros::tools;

#[cfg(feature = "server")]
#[doc(no_inline)]
pub use tokio_util::sync::CancellationToken;

#[cfg(feature = "server")]
pub use self::context::{
    Cancelled, Context,
    ask::Question,
    elicit::UrlQuestion,
    form::ElicitForm,
    progress::{Count, Total},
    sample::{Root, SampleRequest, SampleResult},
};
pub use self::model::{
    answer::Answer,
    cancel::CancelReason,
    capability::Capability,
    content::{Audience, Audio, Content, Embedded, Image, ResourceLink, Text},
    error::{AskError, BeginError, RpcError},
    level::LogLevel,
    principal::Principal,
    result::CallToolResult,
    task::TaskId,
};
#[cfg(feature = "http")]
pub use self::server::{AuthError, Identity, ProtectedResource};
#[cfg(feature = "server")]
pub use self::server::{
    Caller, Error, InputRequired, Limits, LiveTools, MethodCall, MethodResult, Next, Policy,
    Server, ToolCall,
};
#[cfg(feature = "server")]
pub use self::tool::{
    Tool, Tools,
    error::{ErrorCode, ToolError},
    extract::{Args, Extension, FromContext, OptionalFromContext, Requirements, State},
    json::Json,
    meta::RequestMeta,
    output::{IntoContents, IntoOutput, Output},
    runtime::RuntimeTool,
};
#[cfg(feature = "http")]
pub use self::transport::http::{HttpService, ResponseBody};

/// What a server needs for questions. It is named here, above `context` and `server`, and by [`Question`] alone, so that
/// programs that ask nothing are linked without it.
#[cfg(feature = "server")]
pub(crate) static ASKING: context::port::AskingNeeds = &server::ASKING;

/// Forms made at run time. For all others there is `#[derive(ElicitForm)]`.
///
/// [`Form`](form::Form) has an example, and [the guide](crate::guide::asking#forms) a tool that asks with one.
pub mod form {
    pub use crate::model::form::{
        Boolean, Choice, ChoiceItem, Choices, Field, Form, Format, Integer, Kind, Number, Text,
    };
}

/// Stores for tasks, other than this process's memory. May change in any release.
///
/// A store implements [`TaskStore`](store::TaskStore) and holds what [`store_contract`](store::store_contract) tries:
///
/// ```
/// use mcp_tasks::Server;
/// use mcp_tasks::store::{MemoryStore, store_contract};
///
/// # #[tokio::main]
/// # async fn main() {
/// store_contract(MemoryStore::new).await;
///
/// let server = Server::new("ops").store(MemoryStore::new());
/// assert!(server.check().is_ok());
/// # }
/// ```
#[cfg(feature = "unstable-store")]
pub mod store {
    pub use crate::model::clock::Millis;
    pub use crate::model::input::{Action, InputRequest, InputResponse};
    pub use crate::model::principal::Owner;
    pub use crate::model::result::CallOutput;
    pub use crate::model::task::{Outcome, TaskStatus};
    pub use crate::task::apply::apply;
    pub use crate::task::contract::store_contract;
    pub use crate::task::memory::MemoryStore;
    pub use crate::task::record::{Dialect, Event, Input, InputState, Record, Rejected};
    pub use crate::task::store::{Changes, Cursor, StoreError, Swap, TaskStore, Version};
}
