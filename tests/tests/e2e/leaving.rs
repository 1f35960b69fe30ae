//! What is left of calls and connections that end in another way than by the book: nothing.

use std::sync::{Arc, Mutex};

use mcp_tasks::AskError;
use mcp_tasks::prelude::*;
use mcp_tasks::testing::{ClientKind, every_client, tables};
use serde_json::{Value, json};
use tests::session::{CLIENT_CAPABILITIES, PROTOCOL_VERSION, Session, TASK_CLIENTS};
use tests::tools::{Name, Probe, ask, hold, nap, wait};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};

use ClientKind::V2025_11_25;

/// What the helpers of [`leave_a_helper`] came to.
#[derive(Clone, Debug, Default)]
struct Helpers(Arc<Mutex<Vec<AskError>>>);

/// Ends while somebody it started goes on asking in its name.
#[mcp_tool(task)]
async fn leave_a_helper(ctx: Context, State(helpers): State<Helpers>) -> String {
    for delay in [0, 10] {
        let (ctx, helpers) = (ctx.clone(), helpers.clone());
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(delay)).await;
            if let Err(error) = ctx.elicit::<Name>("Still there?").await {
                helpers.0.lock().unwrap().push(error);
            }
        });
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    "left".into()
}

/// Cleans up when it is told to stop.
#[mcp_tool]
async fn clean_up(token: CancellationToken, State(probe): State<Probe>) -> String {
    let inside = probe.enter();
    token.cancelled().await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    drop(inside);
    "cleaned up".into()
}

fn server() -> (Server, Probe, Helpers) {
    let (probe, helpers) = (Probe::default(), Helpers::default());
    let server = Server::new("leaving")
        .tools(tools![ask, clean_up, hold, leave_a_helper, nap, wait])
        .state(probe.clone())
        .state(helpers.clone());
    (server, probe, helpers)
}

#[tokio::test(start_paused = true)]
async fn nobody_answers_a_question_of_a_call_that_has_ended() {
    for kind in every_client() {
        if kind == ClientKind::V2025_03_26 {
            continue; // it cannot be asked
        }
        let (server, _, helpers) = server();
        let mut client = Session::open(&server, kind).await;
        client.start_call("leave_a_helper", json!({})).await;
        // A modern inline call that has asked waits for its client to come back, and ends when it does not.
        tokio::time::sleep(Duration::from_secs(1200)).await;
        client.leftovers().await;
        let came_to = helpers.0.lock().unwrap().clone();
        assert_eq!(came_to, [AskError::Gone, AskError::Gone], "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_cut_off_by_the_end_of_the_input_may_wind_down() {
    let (server, probe, _) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let id = client
            .start("tools/call", json!({ "name": "clean_up", "arguments": {} }))
            .await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        let before = probe.dropped();
        assert!(client.finish().await.is_ok(), "{kind}");
        assert!(client.response(&id).await.is_err(), "{kind}");
        assert_eq!(
            probe.dropped(),
            before + 1,
            "{kind}: served on until it was clean"
        );
    }
}

fn modern_call(id: u32, tool: &str, arguments: &Value) -> String {
    let meta = json!({
        PROTOCOL_VERSION: "2026-07-28",
        CLIENT_CAPABILITIES: { "elicitation": {}, "extensions": {} },
    });
    let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
    let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
    format!("{call}\n")
}

/// A served connection, and what serves it.
fn connect(server: &Server) -> (DuplexStream, tokio::task::JoinHandle<()>) {
    let (near, far) = tokio::io::duplex(1 << 16);
    let (reader, writer) = tokio::io::split(far);
    let server = server.clone();
    let serving = tokio::spawn(async move {
        let _ = server.serve_io(reader, writer).await;
    });
    (near, serving)
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_is_dropped_takes_its_calls_along() {
    let (server, probe, _) = server();
    let (mut client, serving) = connect(&server);
    let call = modern_call(1, "wait", &json!({ "millis": 3_600_000 }));
    client.write_all(call.as_bytes()).await.unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!((probe.started(), probe.dropped()), (1, 0));
    serving.abort();
    let mut rest = Vec::new();
    client.read_to_end(&mut rest).await.unwrap();
    assert_eq!(rest, b"", "nothing but the end");
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(probe.dropped(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_cannot_be_written_to_ends() {
    let (server, probe, _) = server();
    let (input, far_input) = tokio::io::duplex(1 << 16);
    let (output, far_output) = tokio::io::duplex(1 << 16);
    let serving = {
        let server = server.clone();
        tokio::spawn(async move { server.serve_io(far_input, far_output).await })
    };
    let (_keep_open, mut input) = tokio::io::split(input);
    drop(output);
    for (id, millis) in [(1, 10), (2, 3_600_000)] {
        let call = modern_call(id, "wait", &json!({ "millis": millis }));
        input.write_all(call.as_bytes()).await.unwrap();
    }
    let ended = tokio::time::timeout(Duration::from_secs(60), serving).await;
    assert!(
        ended.expect("it ends").unwrap().is_err(),
        "with the writer's error"
    );
    assert_eq!((probe.started(), probe.dropped()), (2, 2));
}

/// Whatever still refers to the server refers to its state too.
#[test]
fn a_runtime_that_is_dropped_leaves_nothing_behind() {
    let state = Arc::new(());
    let (server, _, _) = server();
    let server = server.state(Arc::clone(&state));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(async {
        let mut clients = Vec::new();
        for kind in every_client() {
            let mut client = Session::open(&server, kind).await;
            for tool in ["ask", "hold", "clean_up"] {
                client.start_call(tool, json!({})).await;
            }
            client.start("tools/call", json!({ "name": "ask" })).await;
            client.leftovers().await;
            clients.push(client);
        }
        for client in clients {
            std::mem::forget(client);
        }
    });
    drop(runtime);
    drop(server);
    assert_eq!(Arc::strong_count(&state), 1);
}

/// Once the connection is gone only tasks are left, and they are the owner's.
#[tokio::test(start_paused = true)]
async fn a_lost_client_leaves_its_tasks_and_nothing_else() {
    for kind in TASK_CLIENTS {
        let (server, probe, _) = server();
        let mut client = Session::open(&server, kind).await;
        client.start_task("nap", json!({ "millis": 60_000 })).await;
        client
            .start(
                "tools/call",
                json!({ "name": "wait", "arguments": { "millis": 3_600_000 } }),
            )
            .await;
        drop(client);
        tokio::time::sleep(Duration::from_secs(30)).await;
        let left = tables(&server);
        assert_eq!((left.task_runs, left.parked_calls), (1, 0), "{kind}");
        assert_eq!((probe.started(), probe.dropped()), (2, 1), "{kind}");
        tokio::time::sleep(Duration::from_secs(60)).await;
        let left = tables(&server);
        assert_eq!((left.task_runs, left.watches), (0, 0), "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_is_taken_back_when_its_call_ends() {
    let (server, _, _) = server();
    let mut client = Session::open(&server, V2025_11_25).await;
    let id = client
        .start(
            "tools/call",
            json!({ "name": "leave_a_helper", "arguments": {} }),
        )
        .await;
    let question = client.server_request().await;
    client.response(&id).await.unwrap();
    let taken_back = client.notification("notifications/cancelled").await;
    assert_eq!(taken_back["params"]["requestId"], question["id"]);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_winds_down_before_its_connection_has_ended() {
    for kind in every_client().filter(|kind| !kind.follows_tasks()) {
        let (server, _) = tests::tools::server();
        let mut client = Session::open(&server, kind).await;
        let id = client.start_call("wind_down", json!({})).await;
        while tables(&server).runs == 0 {
            tokio::task::yield_now().await;
        }
        let cancelled = json!({ "requestId": id });
        client.notify("notifications/cancelled", cancelled).await;
        while tables(&server).requests > 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(tables(&server).runs, 1, "{kind}: it winds down");
        client.finish().await.unwrap();
        assert_eq!(tables(&server).runs, 0, "{kind}");
    }
}
