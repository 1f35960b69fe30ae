//! Who makes a request.

use std::sync::Arc;

use crate::model::capability::{Capabilities, Capability};
use crate::model::principal::{Owner, Principal};
use crate::wire::Revision;

/// Whether a caller may know of the tool of this name.
pub(super) type Visible = Arc<dyn Fn(&Caller, &str) -> bool + Send + Sync>;

/// Who makes a request, and what their client speaks and can do.
#[derive(Clone, Debug)]
pub struct Caller {
    principal: Option<Principal>,
    revision: Revision,
    capabilities: Capabilities,
}

impl Caller {
    pub(super) fn new(owner: &Owner, revision: Revision, capabilities: Capabilities) -> Self {
        Self {
            principal: match owner {
                Owner::Principal(principal) => Some(principal.clone()),
                _ => None,
            },
            revision,
            capabilities,
        }
    }

    /// Who calls, if the transport authenticated somebody.
    pub fn principal(&self) -> Option<&Principal> {
        self.principal.as_ref()
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
