//! The client over real sockets.

use mcp_tasks::client::{Client, ClientError, Wire};
use serde_json::json;
use tests::tools::server;
use tokio::net::TcpListener;
use tokio::task::AbortHandle;

/// Serves until it is dropped.
struct Served(AbortHandle);

impl Drop for Served {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn serve() -> (String, Served) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (server, _) = server();
    let router = server.into_router().expect("a server that can start");
    let serving = tokio::spawn(async move { axum::serve(listener, router).await });
    (
        format!("http://{address}/mcp"),
        Served(serving.abort_handle()),
    )
}

#[tokio::test]
async fn a_server_at_a_url_is_called_in_every_revision() {
    let (url, _served) = serve().await;
    let found = Client::connect(url.as_str()).await.expect("a connection");
    assert_eq!(found.wire(), Wire::V2026_07_28);
    for wire in [
        Wire::V2026_07_28,
        Wire::V2025_11_25,
        Wire::V2025_06_18,
        Wire::V2025_03_26,
    ] {
        let client = Client::builder()
            .wire(wire)
            .connect(url.as_str())
            .await
            .expect("a connection");
        let sum = client.call_tool("add", json!({ "a": 1, "b": 2 })).await;
        assert_eq!(sum.expect("a result").text(), "3", "{wire}");
        let echo = client.call_tool("echo", json!({ "text": "hi" })).await;
        assert_eq!(echo.expect("a result").text(), "hi", "{wire}");
        client.close().await;
    }
}

#[tokio::test]
async fn a_port_where_nobody_listens_is_named() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let error = Client::connect(format!("http://{address}/mcp"))
        .await
        .expect_err("nobody");
    assert!(matches!(error, ClientError::Connect { .. }), "{error:?}");
    assert!(error.to_string().contains(&address.to_string()), "{error}");
}

#[tokio::test]
async fn a_program_that_is_not_there_or_is_no_server_is_named() {
    let missing = std::process::Command::new("no-such-program-anywhere");
    let error = Client::connect(missing).await.expect_err("no program");
    assert!(
        error.to_string().contains("`no-such-program-anywhere`"),
        "{error}"
    );

    let mut ends = std::process::Command::new("sh");
    ends.args(["-c", "exit 3"]);
    let error = Client::connect(ends).await.expect_err("no server");
    assert!(matches!(error, ClientError::Unanswered { .. }), "{error:?}");
    let why = "did not answer the client's greeting: its process ended (exit status: 3)";
    assert!(error.to_string().ends_with(why), "{error}");
}
