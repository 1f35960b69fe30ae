//! The endpoint as a part of an application's own router, behind its layers.

use axum::Router;
use axum::extract::Request as Incoming;
use axum::middleware::map_request;
use axum::routing::get;
use mcp_tasks::{Identity, Principal, ProtectedResource, Server};
use serde_json::{Value, json};
use tests::http::{LegacySession, Request, Site};
use tests::tools::plain_server;

fn application(server: Server) -> Site {
    let service = server.into_service().expect("a server that can start");
    let router = Router::new()
        .route("/health", get(|| async { "fine" }))
        .merge(service.clone().into_router());
    Site::behind(router, service)
}

#[tokio::test(start_paused = true)]
async fn an_application_s_routes_and_the_endpoint_s_are_one_router() {
    let site = application(plain_server());
    let list = || Request::modern("tools/list", json!({}));
    assert_eq!(site.send(list().at("/mcp")).await.status, 200);
    assert_eq!(site.send(list().at("/mcp/")).await.status, 200);
    assert_eq!(site.send(list().at("/mcp/x")).await.status, 404);
    let mut health = site.send(Request::new("GET").at("/health")).await;
    assert_eq!(health.text().await, "fine");
}

#[tokio::test(start_paused = true)]
async fn a_router_of_a_server_that_cannot_start_is_an_error() {
    let server = plain_server().configure("none", |_| {});
    assert!(server.into_router::<()>().is_err());
}

/// What a layer found out about the caller.
#[derive(Clone, PartialEq)]
struct Role(String);

async fn find_role(mut request: Incoming) -> Incoming {
    let role = request.headers().get("x-role");
    let role = role.map(|role| Role(role.to_str().expect("it is text").to_owned()));
    if let Some(role) = role {
        request.extensions_mut().insert(role);
    }
    request
}

fn for_roles(server: Server) -> Site {
    let admin = || Some(Role("admin".to_owned()));
    let server = server
        .visible(move |caller, tool| tool == "add" || caller.extension() == admin())
        .around(|call, next| async move {
            let role = call.caller().extension::<Role>();
            let role = role.map_or("nobody".to_owned(), |role| role.0);
            next.run().await?;
            Ok(mcp_tasks::IntoOutput::into_output(format!("for {role}")))
        });
    let service = server.into_service().expect("a server that can start");
    let router = Router::new()
        .merge(service.clone().into_router())
        .layer(map_request(find_role));
    Site::behind(router, service)
}

fn names(list: &Value) -> usize {
    list["result"]["tools"].as_array().expect("tools").len()
}

#[tokio::test(start_paused = true)]
async fn hooks_see_what_a_layer_put_into_the_request_on_both_eras() {
    let site = for_roles(plain_server());
    let list = Request::modern("tools/list", json!({}));
    let add = Request::call("add", json!({"a": 1, "b": 2}));
    let nobody = site.ask(list.clone()).await;
    assert_eq!(names(&nobody), 1);
    assert!(names(&site.ask(list.header("x-role", "admin")).await) > 1);
    let sum = site.ask(add.header("x-role", "admin")).await;
    assert_eq!(sum["result"]["content"][0]["text"], "for admin");

    let session = LegacySession::open(&site, "2025-11-25").await;
    let list = |id| session.request(id, "tools/list", &json!({}));
    assert_eq!(names(&site.ask(list(7)).await), 1);
    let admin = list(8).header("x-role", "admin");
    assert!(
        names(&site.ask(admin).await) > 1,
        "each request has its own"
    );
}

#[tokio::test(start_paused = true)]
async fn an_application_that_describes_itself_as_a_protected_resource_keeps_its_own_document() {
    let path = "/.well-known/oauth-protected-resource";
    let service = plain_server().into_service().expect("a server");
    let router = Router::new()
        .route(path, get(|| async { "its own" }))
        .merge(service.clone().into_router());
    let site = Site::behind(router, service);
    let mut document = site.send(Request::new("GET").at(path)).await;
    assert_eq!(document.text().await, "its own");
    let other = site
        .send(Request::new("GET").at(&format!("{path}/mcp")))
        .await;
    assert_eq!(other.status, 404);
}

#[tokio::test(start_paused = true)]
async fn the_document_of_the_protected_resource_is_no_second_endpoint() {
    let resource = ProtectedResource::new("http://localhost/mcp");
    let verify = async |_| Ok(Identity::new(Principal::new("https://id", "ann")));
    let site = application(plain_server().bearer_auth(resource, verify));
    for path in ["", "/mcp"] {
        let path = format!("/.well-known/oauth-protected-resource{path}");
        let document = site.send(Request::new("GET").at(&path)).await;
        assert_eq!(document.status, 200, "{path}");
        let list = Request::modern("tools/list", json!({})).at(&path);
        let refused = site.send(list.header("Authorization", "Bearer x")).await;
        assert_eq!(refused.status, 405, "{path}");
        assert_eq!(refused.header("allow"), Some("GET, HEAD"), "{path}");
    }
}
