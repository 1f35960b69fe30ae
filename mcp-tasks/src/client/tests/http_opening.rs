//! The stream for what a server says unasked, which is open before anything is asked of the server: what it asks in turn
//! may come there.

use std::convert::Infallible;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, Response};
use http_body_util::Full;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};
use tower_service::Service;

use super::http::session;
use super::script::text;
use super::site::{Said, Site};
use crate::client::{Client, HttpEndpoint};
use crate::model::BoxFuture;

/// A site that takes this long to open a stream.
#[derive(Clone)]
struct Late(Site, Duration);

impl Late {
    fn new(opening: Duration) -> Self {
        let site = session(|sent| match sent.rpc() {
            "tools/list" => Said::result(sent, json!({ "tools": [] })),
            "tools/call" => Said::result(sent, text("done")),
            _ => Said::status(405),
        });
        Self(site, opening)
    }

    async fn connect(&self) -> Client {
        let endpoint = HttpEndpoint::new("http://site.test/mcp").service(self.clone());
        Client::connect(endpoint).await.expect("a connection")
    }
}

impl Service<Request<Full<Bytes>>> for Late {
    type Response = Response<Full<Bytes>>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Full<Bytes>>) -> Self::Future {
        let Self(mut site, opening) = self.clone();
        Box::pin(async move {
            if request.method() == Method::GET {
                sleep(opening).await;
            }
            site.call(request).await
        })
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_is_asked_of_a_server_before_its_own_stream_is_open() {
    let site = Late::new(Duration::from_millis(100));
    let client = site.connect().await;
    client
        .call_tool("greet", Value::Null)
        .await
        .expect("a result");
    let sent = site.0.sent();
    let opened = sent.iter().position(|sent| sent.method == Method::GET);
    let asked = sent
        .iter()
        .position(|sent| sent.rpc().starts_with("tools/"));
    assert!(opened.expect("it is opened") < asked.expect("it is called"));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_open_its_stream_is_asked_after_half_a_second_once() {
    let site = Late::new(Duration::from_secs(3600));
    let start = Instant::now();
    let client = site.connect().await;
    for _ in 0..5 {
        client
            .call_tool("greet", Value::Null)
            .await
            .expect("a result");
    }
    let took = start.elapsed();
    assert!(took < Duration::from_secs(1), "{took:?}");
}
