//! A client of the HTTP endpoint that writes and reads every byte itself.
//!
//! Connections are pipes in memory, with a real HTTP server at their other end: whatever waits, waits on tokio's
//! clock, so that a test under `start_paused` may let hours pass.

mod request;
mod response;
mod session;

use std::io;

use axum::Router;
use axum::extract::Request as Incoming;
use axum::middleware::map_request;
use axum::serve::Listener;
use mcp_tasks::{HttpService, Principal, Server};
use tokio::io::{AsyncWriteExt, DuplexStream};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

pub use self::request::Request;
pub use self::response::{Event, Response};
pub use self::session::{LegacySession, initialize};

/// Names the caller, in place of a token that somebody would have to verify.
pub const USER: &str = "x-user";

/// Bytes that a connection holds for an end that does not read.
const PIPE: usize = 64 * 1024;

/// A server behind HTTP.
#[derive(Debug)]
pub struct Site {
    connections: mpsc::UnboundedSender<DuplexStream>,
    serving: JoinHandle<()>,
    /// The endpoint itself, to be shut down.
    pub service: HttpService,
}

impl Site {
    /// Serves `server`. A request's `x-user` header is its principal.
    pub fn open(server: Server) -> Self {
        let service = server.into_service().expect("a server that can start");
        let router = Router::new()
            .route_service("/mcp", service.clone())
            .layer(map_request(authenticate));
        Self::behind(router, service)
    }

    /// Serves an application of which the endpoint is a part.
    pub fn behind(router: Router, service: HttpService) -> Self {
        let (connections, inbox) = mpsc::unbounded_channel();
        let serving = tokio::spawn(async move {
            axum::serve(Inbox(inbox), router).await.expect("no end");
        });
        Self {
            connections,
            serving,
            service,
        }
    }

    /// A connection on which nothing has been said.
    pub fn connect(&self) -> DuplexStream {
        let (ours, theirs) = tokio::io::duplex(PIPE);
        self.connections.send(theirs).expect("the site is served");
        ours
    }

    /// Sends a request on a connection of its own, and waits for the head of the response.
    pub async fn send(&self, request: Request) -> Response {
        let mut connection = self.connect();
        connection
            .write_all(&request.into_bytes())
            .await
            .expect("the server reads");
        Response::read(connection).await
    }

    /// Sends a request and reads its response, which must be one JSON message.
    pub async fn ask(&self, request: Request) -> serde_json::Value {
        self.send(request).await.json().await
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn authenticate(mut request: Incoming) -> Incoming {
    if let Some(user) = request.headers().get(USER) {
        let user = user.to_str().expect("a name").to_owned();
        request
            .extensions_mut()
            .insert(Principal::new("https://issuer.example", user));
    }
    request
}

/// Hands over connections that are made in this process.
struct Inbox(mpsc::UnboundedReceiver<DuplexStream>);

impl Listener for Inbox {
    type Io = DuplexStream;
    type Addr = ();

    async fn accept(&mut self) -> (DuplexStream, ()) {
        match self.0.recv().await {
            Some(connection) => (connection, ()),
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<()> {
        Ok(())
    }
}
