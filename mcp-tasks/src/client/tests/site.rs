//! An HTTP server that answers as a test's function says, and remembers what it was sent.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use serde_json::{Value, json};
use tower_service::Service;

use crate::client::{Endpoint, HttpEndpoint};

/// A request as it came.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    pub(super) method: Method,
    pub(super) headers: HeaderMap,
    pub(super) body: Value,
}

impl Sent {
    pub(super) fn rpc(&self) -> &str {
        self.body["method"].as_str().unwrap_or_default()
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .get(name)
            .map(|value| value.to_str().expect("text"))
    }
}

/// What is answered: a status, headers and a body.
pub(super) struct Said {
    status: StatusCode,
    headers: Vec<(&'static str, String)>,
    body: String,
}

impl Said {
    pub(super) fn status(status: u16) -> Self {
        Self {
            status: StatusCode::from_u16(status).expect("a status"),
            headers: Vec::new(),
            body: String::new(),
        }
    }

    pub(super) fn json(status: u16, body: &Value) -> Self {
        Self {
            headers: vec![("content-type", "application/json".to_owned())],
            body: body.to_string(),
            ..Self::status(status)
        }
    }

    /// An event stream that ends behind this text.
    pub(super) fn events(text: impl Into<String>) -> Self {
        Self {
            headers: vec![("content-type", "text/event-stream".to_owned())],
            body: text.into(),
            ..Self::status(200)
        }
    }

    /// The result of a request.
    pub(super) fn result(sent: &Sent, result: Value) -> Self {
        let mut response = json!({ "jsonrpc": "2.0", "id": sent.body["id"] });
        response["result"] = result;
        Self::json(200, &response)
    }

    pub(super) fn error(status: u16, sent: &Sent, error: Value) -> Self {
        let mut response = json!({ "jsonrpc": "2.0", "id": sent.body["id"] });
        response["error"] = error;
        Self::json(status, &response)
    }

    pub(super) fn saying(mut self, body: &str) -> Self {
        body.clone_into(&mut self.body);
        self
    }

    pub(super) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }
}

type Answering = Arc<dyn Fn(&Sent) -> Said + Send + Sync>;

#[derive(Clone)]
pub(super) struct Site {
    answering: Answering,
    sent: Arc<Mutex<Vec<Sent>>>,
}

impl Site {
    pub(super) fn new(answering: impl Fn(&Sent) -> Said + Send + Sync + 'static) -> Self {
        Self {
            answering: Arc::new(answering),
            sent: Arc::default(),
        }
    }

    pub(super) fn endpoint(&self) -> Endpoint {
        HttpEndpoint::new("http://site.test/mcp")
            .service(self.clone())
            .into()
    }

    /// Everything that was sent by now.
    pub(super) fn sent(&self) -> Vec<Sent> {
        self.sent.lock().expect("no panic").clone()
    }

    /// The messages of a method that were sent by now.
    pub(super) fn sent_as(&self, rpc: &str) -> Vec<Sent> {
        let mut sent = self.sent();
        sent.retain(|sent| sent.rpc() == rpc);
        sent
    }
}

impl Service<Request<Full<Bytes>>> for Site {
    type Response = Response<Full<Bytes>>;
    type Error = Infallible;
    type Future = Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Full<Bytes>>) -> Self::Future {
        let (head, body) = request.into_parts();
        let mut collecting = Box::pin(body.collect());
        let mut cx = Context::from_waker(std::task::Waker::noop());
        let Poll::Ready(Ok(body)) = collecting.as_mut().poll(&mut cx) else {
            panic!("a body that is there is there at once")
        };
        let sent = Sent {
            method: head.method,
            headers: head.headers,
            body: serde_json::from_slice(&body.to_bytes()).unwrap_or_default(),
        };
        let said = (self.answering)(&sent);
        self.sent.lock().expect("no panic").push(sent);
        let mut response = Response::builder().status(said.status);
        for (name, value) in said.headers {
            response = response.header(name, value);
        }
        ready(Ok(response
            .body(Full::from(said.body))
            .expect("a response")))
    }
}
