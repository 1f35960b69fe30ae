//! Who a call comes from, and who owns what it leaves behind.

use std::sync::Arc;

/// An authenticated caller: an issuer and the subject it vouches for.
///
/// ```
/// # #[cfg(feature = "macros")] {
/// use mcp_tasks::prelude::*;
///
/// /// Says who is there.
/// #[mcp_tool]
/// async fn whoami(#[arg(inject)] who: Option<Principal>) -> String {
///     who.map_or("nobody known".into(), |who| format!("{} of {}", who.subject(), who.issuer()))
/// }
/// # let _ = tools![whoami];
/// # }
/// ```
///
/// Who puts it there is told in [the guide](crate::guide::owners#saying-who-the-caller-is).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Principal {
    issuer: Arc<str>,
    subject: Arc<str>,
}

impl Principal {
    /// A caller whom `issuer` knows as `subject`.
    pub fn new(issuer: impl Into<Arc<str>>, subject: impl Into<Arc<str>>) -> Self {
        Self {
            issuer: issuer.into(),
            subject: subject.into(),
        }
    }

    /// Who vouches for the subject, usually a URL.
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// The caller's stable id at the issuer.
    pub fn subject(&self) -> &str {
        &self.subject
    }
}

/// Whose tasks, parked calls and subscriptions these are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Owner {
    /// The one user of this process (stdio).
    Process,
    /// An authenticated caller.
    Principal(Principal),
    /// Whoever knows the id (HTTP without authentication).
    Bearer,
    /// One session of a caller, for tasks whose ids its client chose.
    Session {
        /// The caller, if the transport authenticated somebody.
        principal: Option<Principal>,
        /// The session's name, 128 random bits in hexadecimal.
        session: Arc<str>,
    },
}

impl Owner {
    /// The authenticated caller, if there is one.
    pub fn principal(&self) -> Option<&Principal> {
        match self {
            Self::Principal(principal) => Some(principal),
            Self::Session { principal, .. } => principal.as_ref(),
            Self::Process | Self::Bearer => None,
        }
    }
}
