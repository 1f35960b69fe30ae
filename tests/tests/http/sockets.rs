//! Over real sockets, with clients that do not behave: the rest of the server does not notice.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::json;
use tests::http::{LegacySession, Request, Response, Site};
use tests::tools::Probe;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::tools::server;

struct Listening {
    address: SocketAddr,
    probe: Probe,
    end: oneshot::Sender<()>,
    serving: JoinHandle<Result<(), mcp_tasks::Error>>,
}

async fn listening() -> Listening {
    let (server, probe) = server();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (end, ended) = oneshot::channel::<()>();
    let serving = tokio::spawn(server.serve_listener(listener, async move {
        let _ = ended.await;
    }));
    Listening {
        address,
        probe,
        end,
        serving,
    }
}

impl Listening {
    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.expect("a server")
    }

    async fn send(&self, request: Request) -> Response<TcpStream> {
        let mut connection = self.connect().await;
        let bytes = request.into_bytes();
        connection
            .write_all(&bytes)
            .await
            .expect("the server reads");
        Response::read(connection).await
    }

    /// Waits until so many bodies are gone.
    async fn dropped(&self, bodies: usize) {
        while self.probe.dropped() < bodies {
            tokio::task::yield_now().await;
        }
    }

    async fn works(&self) {
        let sum = self
            .send(Request::call("add", json!({"a": 1, "b": 2})))
            .await;
        assert_eq!(sum.json().await["result"]["content"][0]["text"], "3");
    }
}

#[tokio::test]
async fn a_call_goes_through_a_socket_and_the_server_ends_when_told() {
    let listening = listening().await;
    listening.works().await;
    listening.end.send(()).expect("it listens");
    listening
        .serving
        .await
        .expect("no panic")
        .expect("no error");
}

#[tokio::test]
async fn half_a_body_hurts_nobody() {
    let listening = listening().await;
    let bytes = Request::call("hold", json!({})).into_bytes();
    let mut half = listening.connect().await;
    half.write_all(&bytes[..bytes.len() - 5])
        .await
        .expect("the server reads");
    listening.works().await;
    half.shutdown().await.expect("a connection");
    listening.works().await;
    assert_eq!(listening.probe.started(), 0);
}

#[tokio::test]
async fn a_reset_in_the_middle_of_a_stream_is_a_cancellation() {
    let listening = listening().await;
    let params = json!({"name": "step_and_hold", "arguments": {}, "_meta": {"progressToken": 1}});
    let mut stream = listening
        .send(Request::modern_with(json!({}), "tools/call", params))
        .await;
    stream.message().await.expect("a step");
    let connection = stream.into_connection();
    connection.set_zero_linger().expect("a socket");
    drop(connection);
    listening.dropped(1).await;
    listening.works().await;
}

#[tokio::test(start_paused = true)]
async fn a_reader_that_stops_reading_holds_up_nobody_and_costs_a_bounded_amount() {
    let (server, _) = server();
    let site = Site::open(server);
    let session = LegacySession::open(&site, "2025-11-25").await;
    assert_eq!(
        session
            .ask(1, "logging/setLevel", &json!({"level": "debug"}))
            .await["result"],
        json!({})
    );
    // Says far more than its reader, or any buffer on the way, takes.
    let mut shouting = site
        .send(session.call(2, "shout", &json!({"megabytes": 16})))
        .await;
    assert!(shouting.is_stream());
    let sum = site
        .ask(session.call(3, "add", &json!({"a": 1, "b": 2})))
        .await;
    assert_eq!(sum["result"]["content"][0]["text"], "3");
    // By then it is hoarse.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let messages = shouting.messages().await;
    let bytes: usize = messages
        .iter()
        .map(|message| message.to_string().len())
        .sum();
    assert!(bytes < 4 * 1024 * 1024, "{bytes} bytes were kept");
    assert_eq!(
        messages.last().expect("a response")["id"],
        2,
        "the response is never dropped"
    );
}
