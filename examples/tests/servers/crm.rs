//! `crm` keeps its word: twenty tools, and two users over HTTP who see nothing of each other.

use std::net::SocketAddr;

use examples::crm::{Db, server};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::http::send;

/// The server on a port of this machine.
async fn serving() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(server(Db::default()).serve_listener(listener, std::future::pending()));
    address
}

/// Somebody with a token, who speaks 2026-07-28 and can follow tasks.
#[derive(Clone, Copy)]
struct User {
    server: SocketAddr,
    token: &'static str,
}

impl User {
    /// The response to a request; `name` is the tool or the task that it is about.
    async fn request(self, method: &str, name: &str, mut params: Value) -> Value {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities":
                { "extensions": { "io.modelcontextprotocol/tasks": {} } },
        });
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let token = self.token;
        let head = format!(
            "POST /mcp HTTP/1.1\r\n\
             Authorization: Bearer {token}\r\n\
             Content-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\n\
             MCP-Protocol-Version: 2026-07-28\r\n\
             Mcp-Method: {method}\r\n\
             Mcp-Name: {name}"
        );
        let (_, body) = send(self.server, &head, &message.to_string()).await;
        serde_json::from_str(&body).expect(&body)
    }

    /// The result of a call.
    async fn call(self, tool: &str, arguments: Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments });
        let mut response = self.request("tools/call", tool, params).await;
        response["result"].take()
    }

    async fn text(self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        result["content"][0]["text"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// The response to a request about a task.
    async fn about(self, method: &str, task: &Value) -> Value {
        let id = task.as_str().unwrap();
        self.request(method, id, json!({ "taskId": id })).await
    }
}

async fn two_users() -> (User, User) {
    let server = serving().await;
    let user = |token| User { server, token };
    (user("ann-token"), user("bob-token"))
}

#[tokio::test]
async fn each_user_sees_their_own_records() {
    let (ann, bob) = two_users().await;
    assert_eq!(
        ann.text("contacts_add", json!({ "name": "Cleo" })).await,
        "contact 1"
    );
    let theirs = ann.call("contacts_search", json!({})).await;
    assert_eq!(theirs["structuredContent"]["result"][0]["name"], "Cleo");

    let theirs = bob.call("contacts_search", json!({})).await;
    assert_eq!(theirs["structuredContent"]["result"], json!([]));
    assert_eq!(
        bob.text("contacts_get", json!({ "contact": 1 })).await,
        "there is no contact 1"
    );
    assert_eq!(
        bob.text("contacts_remove", json!({ "contact": 1 })).await,
        "there is no contact 1"
    );
    assert_eq!(
        bob.text("contacts_add", json!({ "name": "Dan" })).await,
        "contact 1"
    );

    let found = ann.call("contacts_get", json!({ "contact": 1 })).await;
    assert_eq!(found["structuredContent"]["name"], "Cleo");
}

#[tokio::test]
async fn each_user_sees_their_own_tasks() {
    let (ann, bob) = two_users().await;
    let people: Vec<_> = (0..1_000)
        .map(|at| json!({ "name": at.to_string() }))
        .collect();
    let created = ann
        .call("contacts_import", json!({ "people": people }))
        .await;
    let task = &created["taskId"];
    let unknown = json!("no-such-task");
    for method in ["tasks/get", "tasks/cancel"] {
        let refused = bob.about(method, task).await;
        assert_eq!(refused["error"]["code"], -32602, "{method}: {refused}");
        assert_eq!(
            refused["error"],
            bob.about(method, &unknown).await["error"],
            "{method}"
        );
    }
    let now = ann.about("tasks/get", task).await;
    assert_eq!(now["result"]["status"], "working");
    let cancelled = ann.about("tasks/cancel", task).await;
    assert_eq!(cancelled["result"]["resultType"], "complete");
}

#[tokio::test]
async fn nobody_is_served_without_a_token_of_theirs() {
    let server = serving().await;
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }).to_string();
    for token in ["", "\r\nAuthorization: Bearer somebody"] {
        let head = format!("POST /mcp HTTP/1.1\r\nContent-Type: application/json{token}");
        let (status, _) = send(server, &head, &call).await;
        assert_eq!(status, 401, "{token}");
    }
    let document = "GET /.well-known/oauth-protected-resource/mcp HTTP/1.1";
    let (status, document) = send(server, document, "").await;
    assert_eq!(status, 200);
    assert!(document.contains("https://login.example.com"), "{document}");
}

#[tokio::test]
async fn the_tools_of_all_modules_work_together() {
    let (ann, _) = two_users().await;
    let listed = ann.request("tools/list", "", json!({})).await;
    assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 20);

    ann.text("companies_add", json!({ "name": "Acme" })).await;
    let deal = json!({ "company": 1, "title": "Anvils", "euros": 1_000 });
    assert_eq!(ann.text("deals_open", deal).await, "deal 1");
    assert_eq!(ann.text("deals_forecast", json!({})).await, "200");
    ann.text("deals_advance", json!({ "deal": 1 })).await;
    assert_eq!(ann.text("deals_forecast", json!({})).await, "500");
    assert_eq!(
        ann.text("companies_remove", json!({ "company": 1 })).await,
        "there are deals with it"
    );

    ann.text("contacts_add", json!({ "name": "Cleo", "company": 1 }))
        .await;
    assert_eq!(
        ann.text("notes_add", json!({ "contact": 1, "text": "Likes tea." }))
            .await,
        "note 1"
    );
    let notes = ann.call("notes_list", json!({ "contact": 1 })).await;
    assert_eq!(
        notes["structuredContent"]["result"][0]["text"],
        "Likes tea."
    );
    assert_eq!(
        ann.text("notes_add", json!({ "contact": 9, "text": "?" }))
            .await,
        "there is no contact 9"
    );
}

#[test]
fn the_server_passes_its_checks() {
    assert!(server(Db::default()).check().is_ok());
}
