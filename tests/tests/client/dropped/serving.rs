//! The future that serves a connection is dropped at every point: the client learns of it, and nothing is left.

use mcp_tasks::client::{Client, Endpoint};
use mcp_tasks::testing::tables;
use serde_json::json;
use tokio::io::{duplex, split};
use tokio::time::{Duration, sleep, timeout};

use super::BRIEF;
use super::cut::{Cut, finely};
use super::tapped::{QUIET, server};
use crate::links::Kind;

/// Longer than a client waits for anything here.
const LONG: Duration = Duration::from_secs(60);

/// Longer than anything is kept.
const DAYS: Duration = Duration::from_secs(3 * 24 * 3600);

#[test]
fn a_connection_that_is_no_longer_served_leaves_nothing() {
    finely(async {
        for kind in Kind::ALL {
            for tool in ["nap", "ask"] {
                for cut in Cut::all() {
                    let here = format!("{kind}, {tool}, {cut}");
                    let server = server();
                    let nothing = tables(&server);
                    let (near, far) = duplex(64 * 1024);
                    let serving = async {
                        let (reader, writer) = split(far);
                        cut.of(server.serve_io(reader, writer)).await;
                    };
                    let client = timeout(LONG, use_up(kind, near, tool));
                    let (ended, ()) = tokio::join!(client, serving);
                    assert!(ended.is_ok(), "{here}: the client waits for ever");
                    sleep(QUIET).await;
                    let left = tables(&server);
                    assert_eq!((left.requests, left.questions), (0, 0), "{here}");
                    // A task outlives its connection, and so does a call that waits for its client to come back.
                    sleep(DAYS).await;
                    assert_eq!(tables(&server), nothing, "{here}");
                }
            }
        }
    });
}

/// Calls a tool and leaves, whatever comes of it.
async fn use_up(kind: Kind, stream: tokio::io::DuplexStream, tool: &str) {
    let (reader, writer) = split(stream);
    let connected: Result<Client, _> = kind
        .client(true)
        .connect(Endpoint::io(reader, writer))
        .await;
    let Ok(client) = connected else {
        return;
    };
    let arguments = match tool {
        "nap" => json!({ "millis": BRIEF }),
        _ => json!({}),
    };
    let _ = client.call_tool(tool, arguments).await;
    client.close().await;
}
