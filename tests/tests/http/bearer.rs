//! Callers with bearer tokens, and a verifier that fails them.

use mcp_tasks::{AuthError, Identity, Principal, ProtectedResource, Server};
use serde_json::json;
use tests::http::{Request, Site};
use tests::tools::plain_server;

fn verifying(server: Server) -> Server {
    let resource = ProtectedResource::new("http://localhost/mcp");
    server.bearer_auth(resource, async |token: String| match token.as_str() {
        "panic" => panic!("the verifier's own words"),
        "ann" => Ok(Identity::new(Principal::new("https://id", "ann"))),
        _ => Err(AuthError::Invalid),
    })
}

fn list() -> Request {
    Request::modern("tools/list", json!({}))
}

#[tokio::test(start_paused = true)]
async fn a_verifier_that_panics_lets_nobody_in_and_says_so() {
    let site = Site::open(verifying(plain_server()));
    let refused = site
        .send(list().header("Authorization", "Bearer panic"))
        .await;
    assert_eq!(refused.status, 503);
    assert_eq!(refused.header("www-authenticate"), None);
    assert_eq!(refused.code().await, Some(-32603));
    let let_in = list().header("Authorization", "Bearer ann");
    assert_eq!(site.send(let_in).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn of_two_tokens_none_counts() {
    let site = Site::open(verifying(plain_server()));
    for tokens in [["ann", "eve"], ["eve", "ann"], ["ann", "ann"]] {
        let request = tokens.iter().fold(list(), |request, token| {
            request.and_header("Authorization", &format!("Bearer {token}"))
        });
        assert_eq!(site.send(request).await.status, 401, "{tokens:?}");
    }
}
