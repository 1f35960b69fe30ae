//! Who makes a request.

use std::fmt;
use std::sync::Arc;

use super::reply::Reply;
use crate::context::extensions::Extensions;
use crate::model::capability::{Capabilities, Capability};
use crate::model::principal::Principal;
use crate::tool::guard::{Panicked, guarded};
use crate::wire::Revision;

/// Whether a caller may know of the tool of this name.
pub(super) type Visible = Arc<dyn Fn(&Caller, &str) -> bool + Send + Sync>;

/// A decision that panics is a no.
pub(super) fn guarded_visible(
    visible: impl Fn(&Caller, &str) -> bool + Send + Sync + 'static,
) -> Visible {
    Arc::new(move |caller, tool| {
        guarded(|| visible(caller, tool)).unwrap_or_else(|Panicked(words)| {
            let panic = words.unwrap_or_default();
            tracing::error!(%tool, panic, "whether a caller may see the tool could not be decided");
            false
        })
    })
}

/// Who makes a request, and what their client speaks and can do.
///
/// [`Server::visible`](crate::Server::visible), [`Server::around`](crate::Server::around) and
/// [`MethodCall`](crate::MethodCall) have one.
#[derive(Clone)]
pub struct Caller {
    principal: Option<Principal>,
    revision: Revision,
    capabilities: Capabilities,
    extensions: Extensions,
}

impl Caller {
    pub(super) fn new(reply: &Reply, revision: Revision, capabilities: Capabilities) -> Self {
        Self {
            principal: reply.peer().owner.principal().cloned(),
            revision,
            capabilities,
            extensions: reply.extensions().clone(),
        }
    }

    /// Who calls, if the transport authenticated somebody.
    pub fn principal(&self) -> Option<&Principal> {
        self.principal.as_ref()
    }

    /// What a `tower` layer put into the extensions of the HTTP request; `None` for other types and other transports.
    /// A tool takes the same as [`Extension<T>`](crate::Extension).
    ///
    /// ```
    /// use mcp_tasks::Server;
    ///
    /// #[derive(Clone, PartialEq)]
    /// enum Role { Admin, Guest }
    ///
    /// let server = Server::new("ops")
    ///     .visible(|caller, tool| tool != "deploy" || caller.extension() == Some(Role::Admin));
    /// # assert!(server.check().is_ok());
    /// ```
    pub fn extension<T: Clone + Send + Sync + 'static>(&self) -> Option<T> {
        self.extensions.get()
    }

    /// The protocol revision of this request, as the wire spells it: `2026-07-28`.
    pub fn revision(&self) -> &'static str {
        self.revision.as_str()
    }

    /// Whether the request is one of 2026-07-28 and later, where each stands alone.
    pub fn is_modern(&self) -> bool {
        self.revision >= Revision::V2026_07_28
    }

    /// Whether the client declared that it can do this.
    pub fn supports(&self, capability: Capability) -> bool {
        self.capabilities.has(capability)
    }
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Caller")
            .field("principal", &self.principal)
            .field("revision", &self.revision())
            .finish_non_exhaustive()
    }
}
