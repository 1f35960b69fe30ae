//! One client: makes its tasks, polls each to its end as it is told to, and compares what came of it.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};
use tests::http::{Request, Response, initialize};
use tests::load_text;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::sleep;

/// Tasks of each client.
pub(crate) const TASKS: u32 = 10;

/// One connection, which every request of a client goes over.
struct Wire {
    connection: Option<TcpStream>,
    requests: u64,
}

impl Wire {
    async fn open(address: SocketAddr) -> Self {
        let connection = TcpStream::connect(address).await.expect("a server");
        connection.set_nodelay(true).expect("a socket");
        Self {
            connection: Some(connection),
            requests: 0,
        }
    }

    async fn send(&mut self, request: Request) -> Answer {
        let mut connection = self.connection.take().expect("one request at a time");
        self.requests += 1;
        let bytes = request.into_bytes();
        connection
            .write_all(&bytes)
            .await
            .expect("the server reads");
        let mut response = Response::read(connection).await;
        let answer = Answer {
            status: response.status,
            session: response.header("mcp-session-id").map(str::to_owned),
            body: response.text().await,
        };
        self.connection = Some(response.into_connection());
        answer
    }

    /// The result of a request that must succeed.
    async fn ask(&mut self, request: Request) -> Value {
        self.send(request).await.result()
    }
}

struct Answer {
    status: u16,
    session: Option<String>,
    body: String,
}

impl Answer {
    fn result(&self) -> Value {
        let mut answer: Value = serde_json::from_str(&self.body).expect("JSON");
        assert!(
            self.status == 200 && answer["result"].is_object(),
            "{} {answer}",
            self.status
        );
        answer["result"].take()
    }
}

/// A task that has been made, and what must come of it.
struct Task {
    id: Value,
    text: String,
}

/// Half a second to three.
fn arguments(client: u32, number: u32) -> Value {
    let millis = 500 + (client * 7 + number * 251) % 2_500;
    json!({"client": client, "number": number, "millis": millis})
}

/// A client of the 2026-07-28 extension; returns how many requests it made.
pub(crate) async fn modern(address: SocketAddr, client: u32) -> u64 {
    let mut wire = Wire::open(address).await;
    let mut open = Vec::new();
    for number in 0..TASKS {
        let call = Request::call("stamp", arguments(client, number));
        let mut made = wire.ask(call).await;
        assert_eq!(made["resultType"], "task", "{made}");
        open.push(Task {
            id: made["taskId"].take(),
            text: load_text(client, number),
        });
    }
    while !open.is_empty() {
        let mut interval = 0;
        let mut still_open = Vec::new();
        for task in open {
            let now = wire
                .ask(Request::modern("tasks/get", json!({"taskId": task.id})))
                .await;
            match now["status"].as_str() {
                Some("completed") => {
                    assert_eq!(now["result"]["content"][0]["text"], *task.text);
                }
                Some("working") => {
                    interval = now["pollIntervalMs"].as_u64().expect("an interval");
                    still_open.push(task);
                }
                _ => panic!("client {client}: {now}"),
            }
        }
        open = still_open;
        sleep(Duration::from_millis(interval)).await;
    }
    wire.requests
}

/// A session of 2025-11-25.
struct Session {
    wire: Wire,
    id: String,
    last: u64,
}

impl Session {
    async fn open(address: SocketAddr) -> Self {
        let mut wire = Wire::open(address).await;
        let opened = wire.send(Request::post(&initialize("2025-11-25"))).await;
        opened.result();
        let id = opened.session.expect("a session");
        let mut session = Self { wire, id, last: 0 };
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let ready = session.with_id(Request::post(&ready));
        assert_eq!(session.wire.send(ready).await.status, 202);
        session
    }

    async fn ask(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let message =
            json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params});
        let request = self.with_id(Request::post(&message));
        self.wire.ask(request).await
    }

    fn with_id(&self, request: Request) -> Request {
        request
            .header("Mcp-Session-Id", &self.id)
            .header("MCP-Protocol-Version", "2025-11-25")
    }

    async fn close(mut self) -> u64 {
        let end = self.with_id(Request::new("DELETE"));
        assert_eq!(self.wire.send(end).await.status, 204);
        self.wire.requests
    }
}

/// A client of 2025-11-25; returns how many requests it made.
pub(crate) async fn legacy(address: SocketAddr, client: u32) -> u64 {
    let mut session = Session::open(address).await;
    let mut open = Vec::new();
    for number in 0..TASKS {
        let call = json!({"name": "stamp", "arguments": arguments(client, number), "task": {}});
        let mut made = session.ask("tools/call", call).await;
        open.push(Task {
            id: made["task"]["taskId"].take(),
            text: load_text(client, number),
        });
    }
    while !open.is_empty() {
        let mut interval = 0;
        let mut still_open = Vec::new();
        for task in open {
            let about = json!({"taskId": task.id});
            let now = session.ask("tasks/get", about.clone()).await;
            match now["status"].as_str() {
                Some("completed") => {
                    let result = session.ask("tasks/result", about).await;
                    assert_eq!(result["content"][0]["text"], *task.text);
                }
                Some("working") => {
                    interval = now["pollInterval"].as_u64().expect("an interval");
                    still_open.push(task);
                }
                _ => panic!("client {client}: {now}"),
            }
        }
        open = still_open;
        sleep(Duration::from_millis(interval)).await;
    }
    session.close().await
}
