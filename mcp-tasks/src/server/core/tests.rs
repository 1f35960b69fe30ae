use std::time::Duration;

use serde_json::{Value, json};

use crate::testing::{Client, ClientKind};
use crate::{CancellationToken, Server, mcp_tool, tools};

/// Never ends by itself.
#[mcp_tool(crate = crate, task)]
async fn wait() -> String {
    std::future::pending().await
}

/// Ends when it is told to.
#[mcp_tool(crate = crate, task)]
async fn obey(token: CancellationToken) -> &'static str {
    token.cancelled().await;
    "saved"
}

async fn start(client: &mut Client, tool: &str) -> Value {
    let mut params = json!({ "name": tool, "arguments": {} });
    if !client.kind().is_modern() {
        params["task"] = json!({});
    }
    let created = client.request("tools/call", params).await.unwrap();
    created.get("task").unwrap_or(&created)["taskId"].clone()
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_fails_what_runs_unless_it_comes_to_a_result_in_its_grace() {
    for kind in [ClientKind::TasksExtension, ClientKind::CoreTasks] {
        let server = Server::new("closing").tools(tools![crate = crate; wait, obey]);
        let mut client = Client::connect(&server, kind).await;
        let waits = start(&mut client, "wait").await;
        let obeys = start(&mut client, "obey").await;
        tokio::time::sleep(Duration::from_millis(10)).await;
        server.core().unwrap().shut_down().await;

        let ended = client
            .request("tasks/get", json!({ "taskId": waits }))
            .await;
        let ended = ended.unwrap();
        assert_eq!(ended["status"], "failed", "{kind}: {ended}");
        assert_eq!(
            ended["statusMessage"], "the server is shutting down",
            "{kind}"
        );
        let ended = client
            .request("tasks/get", json!({ "taskId": obeys }))
            .await;
        assert_eq!(ended.unwrap()["status"], "completed", "{kind}");
    }
}
