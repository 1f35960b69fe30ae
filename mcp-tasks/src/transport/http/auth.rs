//! Bearer tokens at the door (MCP authorization; RFC 6750, RFC 9728).

use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, Response, StatusCode, request};
use serde_json::json;

use super::answer;
use super::body::ResponseBody;
use crate::model::error::RpcError;
use crate::model::principal::Principal;
use crate::server::{Auth, AuthError, Bearer};

/// Where a protected resource describes itself; the resource's own path may follow.
pub(super) const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

impl Auth {
    /// Whether there is a protected resource to describe.
    pub(super) fn has_metadata(&self) -> bool {
        self.bearer.is_some()
    }

    /// Whether the path is one of the resource's metadata.
    pub(super) fn describes(&self, path: &str) -> bool {
        let after = path.strip_prefix(WELL_KNOWN);
        let is_one = |after: &str| after.is_empty() || after.len() > 1 && after.starts_with('/');
        self.has_metadata() && after.is_some_and(is_one)
    }

    /// The metadata of the protected resource.
    pub(super) fn metadata(&self) -> Response<ResponseBody> {
        let Some(Bearer { resource, .. }) = &self.bearer else {
            return answer::status(StatusCode::NOT_FOUND);
        };
        let document = json!({
            "resource": resource.resource,
            "authorization_servers": resource.authorization_servers,
            "scopes_supported": resource.scopes,
            "bearer_methods_supported": ["header"],
        });
        answer::json(StatusCode::OK, document.to_string().into_bytes())
    }

    /// Puts into the request who its caller is, or refuses it.
    pub(super) async fn admit(
        &self,
        parts: &mut request::Parts,
    ) -> Result<(), Response<ResponseBody>> {
        if let Some(bearer) = &self.bearer {
            bearer.admit(parts).await?;
        }
        if self.principal_required && parts.extensions.get::<Principal>().is_none() {
            return Err(refuse(
                StatusCode::UNAUTHORIZED,
                "nobody is authenticated",
                "Bearer",
            ));
        }
        Ok(())
    }
}

impl Bearer {
    async fn admit(&self, parts: &mut request::Parts) -> Result<(), Response<ResponseBody>> {
        let Some(token) = token(&parts.headers) else {
            return Err(self.challenge(StatusCode::UNAUTHORIZED, "a bearer token is missing", ""));
        };
        let identity = match self.verifier.verify(token.to_owned()).await {
            Ok(identity) => identity,
            Err(AuthError::Invalid) => {
                let why = AuthError::Invalid.to_string();
                return Err(self.challenge(
                    StatusCode::UNAUTHORIZED,
                    &why,
                    r#", error="invalid_token""#,
                ));
            }
            Err(error @ AuthError::Unavailable(_)) => {
                tracing::error!(%error, "a caller could not be authenticated");
                let error = RpcError::internal("tokens cannot be checked at the moment");
                return Err(answer::error(StatusCode::SERVICE_UNAVAILABLE, &error));
            }
        };
        let has = |scope: &&String| identity.scopes.contains(scope);
        if !self.resource.scopes.iter().all(|scope| has(&scope)) {
            let scopes = self.resource.scopes.join(" ");
            let more = format!(r#", error="insufficient_scope", scope="{scopes}""#);
            return Err(self.challenge(StatusCode::FORBIDDEN, "the token lacks a scope", &more));
        }
        parts.extensions.insert(identity.principal);
        parts.extensions.extend(identity.extensions);
        Ok(())
    }

    /// A refusal that tells the client where to learn how to get a token.
    fn challenge(&self, code: StatusCode, why: &str, more: &str) -> Response<ResponseBody> {
        let metadata = self.metadata_url();
        refuse(
            code,
            why,
            &format!(r#"Bearer resource_metadata="{metadata}"{more}"#),
        )
    }

    /// The well-known path goes between the resource's host and its own path (RFC 9728, section 3.1).
    fn metadata_url(&self) -> String {
        let resource = self.resource.resource.trim_end_matches('/');
        let after_scheme = resource.find("://").map_or(0, |at| at + 3);
        match resource[after_scheme..].find('/') {
            Some(slash) => {
                let (host, path) = resource.split_at(after_scheme + slash);
                format!("{host}{WELL_KNOWN}{path}")
            }
            None => format!("{resource}{WELL_KNOWN}"),
        }
    }
}

/// The one token there is. Of two, somebody on the way may have checked the other.
fn token(headers: &HeaderMap) -> Option<&str> {
    let mut sent = headers.get_all(AUTHORIZATION).iter();
    let (Some(header), None) = (sent.next(), sent.next()) else {
        return None;
    };
    let (scheme, token) = header.to_str().ok()?.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then(|| token.trim())
        .filter(|token| !token.is_empty())
}

fn refuse(code: StatusCode, why: &str, challenge: &str) -> Response<ResponseBody> {
    let error = RpcError::new(RpcError::INVALID_REQUEST, why.to_owned());
    let mut response = answer::error(code, &error);
    if let Ok(challenge) = HeaderValue::from_str(challenge) {
        response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
    }
    response
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use http::Request;

    use super::*;
    use crate::server::{Identity, ProtectedResource};

    fn auth(resource: &str) -> Auth {
        let verify = async |token: String| match token.as_str() {
            "ann" => Ok(Identity::new(Principal::new("https://id", "ann"))
                .scope("mcp")
                .with(7_u8)),
            "bob" => Ok(Identity::new(Principal::new("https://id", "bob"))),
            "down" => Err(AuthError::Unavailable("no route to host".into())),
            _ => Err(AuthError::Invalid),
        };
        Auth {
            bearer: Some(Bearer {
                resource: ProtectedResource::new(resource)
                    .authorization_server("https://id")
                    .require_scope("mcp"),
                verifier: Arc::new(verify),
            }),
            principal_required: true,
        }
    }

    async fn admit(
        auth: &Auth,
        header: Option<&str>,
    ) -> Result<request::Parts, Response<ResponseBody>> {
        let mut request = Request::builder();
        if let Some(header) = header {
            request = request.header(AUTHORIZATION, header);
        }
        let (mut parts, ()) = request.body(()).expect("a request").into_parts();
        auth.admit(&mut parts).await.map(|()| parts)
    }

    #[tokio::test]
    async fn a_token_says_who_the_caller_is() {
        let parts = admit(&auth("https://api/mcp"), Some("bearer ann"))
            .await
            .expect("admitted");
        let principal = parts.extensions.get::<Principal>().expect("a principal");
        assert_eq!(
            (principal.issuer(), principal.subject()),
            ("https://id", "ann")
        );
        assert_eq!(parts.extensions.get::<u8>(), Some(&7));
    }

    #[tokio::test]
    async fn without_a_good_token_the_client_is_told_where_to_get_one() {
        let auth = auth("https://api.example.com/mcp");
        let metadata = r#"Bearer resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/mcp""#;
        for (header, code, more) in [
            (None, 401, ""),
            (Some("Basic YTpi"), 401, ""),
            (Some("Bearer "), 401, ""),
            (Some("Bearer eve"), 401, r#", error="invalid_token""#),
            (
                Some("Bearer bob"),
                403,
                r#", error="insufficient_scope", scope="mcp""#,
            ),
        ] {
            let response = admit(&auth, header).await.expect_err("refused");
            assert_eq!(response.status(), code, "{header:?}");
            let challenge = response.headers()[WWW_AUTHENTICATE].to_str().expect("text");
            assert_eq!(challenge, format!("{metadata}{more}"), "{header:?}");
        }
    }

    #[tokio::test]
    async fn a_verifier_that_is_down_is_nobodys_fault() {
        let response = admit(&auth("https://api"), Some("Bearer down"))
            .await
            .expect_err("refused");
        assert_eq!(response.status(), 503);
        assert!(!response.headers().contains_key(WWW_AUTHENTICATE));
    }

    #[tokio::test]
    async fn a_forgotten_layer_lets_nobody_in() {
        let auth = Auth {
            bearer: None,
            principal_required: true,
        };
        let response = admit(&auth, None).await.expect_err("refused");
        assert_eq!(response.status(), 401);
    }

    #[test]
    fn the_metadata_stands_between_host_and_path() {
        let url = |resource| auth(resource).bearer.expect("bearer").metadata_url();
        assert_eq!(
            url("https://a"),
            "https://a/.well-known/oauth-protected-resource"
        );
        assert_eq!(
            url("https://a/"),
            "https://a/.well-known/oauth-protected-resource"
        );
        assert_eq!(
            url("https://a/x/mcp"),
            "https://a/.well-known/oauth-protected-resource/x/mcp"
        );
    }

    #[test]
    fn the_resource_is_described_at_its_path_and_nowhere_else() {
        let auth = auth("http://localhost/mcp");
        for (path, is_described) in [("", true), ("/mcp", true), ("/", false), ("x", false)] {
            let path = format!("{WELL_KNOWN}{path}");
            assert_eq!(auth.describes(&path), is_described, "{path}");
        }
    }
}
