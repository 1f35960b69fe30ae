//! A server that listens on a real socket.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use mcp_tasks::testing::{Tables, tables};
use mcp_tasks::{Error, Limits, Server};
use serde_json::json;
use tests::http::{Request, Response, initialize};
use tests::tools::Probe;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, yield_now};

use crate::tools::server;

/// What takes longer never comes.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server at an address of this machine.
pub(crate) struct Listening {
    address: SocketAddr,
    server: Server,
    pub(crate) probe: Probe,
    end: oneshot::Sender<()>,
    serving: JoinHandle<Result<(), Error>>,
}

impl Listening {
    pub(crate) async fn open(change: impl FnOnce(&mut Limits)) -> Self {
        let mut limits = Limits::default();
        change(&mut limits);
        let (server, probe) = server();
        let server = server.limits(limits);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (end, ended) = oneshot::channel::<()>();
        let serving = tokio::spawn(server.clone().serve_listener(listener, async move {
            let _ = ended.await;
        }));
        Self {
            address,
            server,
            probe,
            end,
            serving,
        }
    }

    pub(crate) async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.expect("a server")
    }

    pub(crate) async fn send(&self, request: Request) -> Response<TcpStream> {
        let mut connection = self.connect().await;
        let bytes = request.into_bytes();
        connection
            .write_all(&bytes)
            .await
            .expect("the server reads");
        Response::read(connection).await
    }

    /// The id of a new session.
    pub(crate) async fn session(&self) -> String {
        let opened = self.send(Request::post(&initialize("2025-11-25"))).await;
        let id = opened.header("mcp-session-id").expect("a session");
        id.to_owned()
    }

    /// A client that behaves is served.
    pub(crate) async fn works(&self) {
        let sum = self
            .send(Request::call("add", json!({"a": 1, "b": 2})))
            .await;
        assert_eq!(sum.json().await["result"]["content"][0]["text"], "3");
    }

    /// Waits until this holds.
    pub(crate) async fn until(&self, holds: impl Fn(&Tables, &Probe) -> bool) {
        let since = Instant::now();
        while !holds(&tables(&self.server), &self.probe) {
            assert!(since.elapsed() < PATIENCE, "{:?}", tables(&self.server));
            yield_now().await;
        }
    }

    /// Waits until nothing is left of what its clients did.
    pub(crate) async fn is_empty(&self) {
        self.until(|tables, probe| {
            let left = [
                tables.live_tasks,
                tables.task_runs,
                tables.parked_calls,
                tables.connections,
                tables.requests,
                tables.counted,
                probe.started() - probe.dropped(),
            ];
            left == [0; 7]
        })
        .await;
    }

    /// Tells it to end, and waits until it has.
    pub(crate) async fn end(self) {
        self.end.send(()).expect("it listens");
        let served = self.serving.await.expect("no panic");
        served.expect("no error");
    }
}
