//! Who a caller over HTTP is: what a server asks of a bearer token, and what it learns from it.

use std::fmt;
use std::sync::Arc;

use http::Extensions;

use crate::model::BoxFuture;
use crate::model::principal::Principal;
use crate::tool::guard::{Panicked, caught, guarded};

/// This server as OAuth 2.0 sees it: a protected resource (RFC 9728).
///
/// ```
/// use mcp_tasks::ProtectedResource;
///
/// let resource = ProtectedResource::new("https://api.example.com/mcp")
///     .authorization_server("https://login.example.com")
///     .require_scope("mcp");
/// ```
#[derive(Clone, Debug)]
pub struct ProtectedResource {
    pub(crate) resource: String,
    pub(crate) authorization_servers: Vec<String>,
    pub(crate) scopes: Vec<String>,
}

impl ProtectedResource {
    /// The resource at `url`, the endpoint's own address as clients reach it. Tokens must be meant for it:
    /// checking their audience is the verifier's task.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            resource: url.into(),
            authorization_servers: Vec::new(),
            scopes: Vec::new(),
        }
    }

    /// Names an authorization server that issues tokens for it, by its issuer URL.
    pub fn authorization_server(mut self, issuer: impl Into<String>) -> Self {
        self.authorization_servers.push(issuer.into());
        self
    }

    /// Asks for a scope on every token; one without it is answered with 403.
    pub fn require_scope(mut self, scope: impl Into<String>) -> Self {
        self.scopes.push(scope.into());
        self
    }
}

/// What a verifier learnt from a token.
///
/// [`Server::bearer_auth`](crate::Server::bearer_auth) asks for it.
#[derive(Clone, Debug)]
pub struct Identity {
    pub(crate) principal: Principal,
    pub(crate) scopes: Vec<String>,
    pub(crate) extensions: Extensions,
}

impl Identity {
    /// The caller, without any scope so far.
    pub fn new(principal: Principal) -> Self {
        Self {
            principal,
            scopes: Vec::new(),
            extensions: Extensions::new(),
        }
    }

    /// A scope that the token grants.
    pub fn scope(mut self, scope: impl Into<String>) -> Self {
        self.scopes.push(scope.into());
        self
    }

    /// Something more about the caller, for tools that take an [`Extension<T>`](crate::Extension).
    pub fn with<T: Clone + Send + Sync + 'static>(mut self, value: T) -> Self {
        self.extensions.insert(value);
        self
    }
}

/// Why a token was not taken.
///
/// [`Server::bearer_auth`](crate::Server::bearer_auth) asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AuthError {
    /// It is no token for this server, or no longer one.
    Invalid,
    /// It could not be checked; the text goes to the log.
    Unavailable(String),
}

impl fmt::Display for AuthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid => f.write_str("the token is not valid here"),
            Self::Unavailable(why) => write!(f, "the token could not be checked: {why}"),
        }
    }
}

impl std::error::Error for AuthError {}

/// Checks tokens.
pub(crate) trait Verify: Send + Sync + 'static {
    fn verify(&self, token: String) -> BoxFuture<'static, Result<Identity, AuthError>>;
}

impl<V, F> Verify for V
where
    V: Fn(String) -> F + Send + Sync + 'static,
    F: Future<Output = Result<Identity, AuthError>> + Send + 'static,
{
    fn verify(&self, token: String) -> BoxFuture<'static, Result<Identity, AuthError>> {
        let begun = guarded(|| self(token));
        Box::pin(async move {
            let verified = match begun {
                Ok(verifying) => caught(std::pin::pin!(verifying)).await,
                Err(panicked) => Err(panicked),
            };
            verified.unwrap_or_else(|panicked| Err(unavailable(panicked)))
        })
    }
}

/// A verifier that panics has checked nothing.
fn unavailable(Panicked(words): Panicked) -> AuthError {
    let words = words.unwrap_or_default();
    AuthError::Unavailable(format!("the verifier panicked: {words}"))
}

/// How callers over HTTP prove who they are.
#[derive(Clone, Default)]
pub(crate) struct Auth {
    pub(crate) bearer: Option<Bearer>,
    /// Somebody must have said who the caller is.
    pub(crate) principal_required: bool,
}

/// Bearer tokens, checked by the author's own function.
#[derive(Clone)]
pub(crate) struct Bearer {
    pub(crate) resource: ProtectedResource,
    pub(crate) verifier: Arc<dyn Verify>,
}
