//! Streamable HTTP: a request is a POST of its own, its answer JSON or an event stream; a session of before 2026-07-28
//! has another stream for what the server says unasked.

mod endpoint;
mod stream;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE, HOST};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, Uri};
use http_body_util::{BodyExt, Full};
use tokio::task::AbortHandle;

pub use self::endpoint::HttpEndpoint;
use self::endpoint::{Exchange, Incoming, causes};
use super::{Outgoing, Transport};
use crate::client::router::{Failure, Router};
use crate::model::BoxFuture;
use crate::wire::client::message::{self, Incoming as Message};

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const EVENTS: &str = "text/event-stream";

pub(super) struct Http {
    shared: Arc<Shared>,
}

/// What the tasks of one connection share.
struct Shared {
    url: Uri,
    /// What goes with every request.
    headers: HeaderMap,
    exchange: Exchange,
    router: Arc<Router>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The session's id and version, once it has begun (before 2026-07-28).
    session: Option<HeaderValue>,
    version: Option<HeaderValue>,
    /// Requests under way.
    requests: HashMap<u64, AbortHandle>,
    /// Reads what the server says unasked.
    unasked: Option<AbortHandle>,
}

impl Http {
    fn new(url: Uri, headers: HeaderMap, exchange: Exchange, router: Arc<Router>) -> Self {
        Self {
            shared: Arc::new(Shared {
                url,
                headers,
                exchange,
                router,
                state: Mutex::default(),
            }),
        }
    }
}

impl Transport for Http {
    fn send(&self, message: Outgoing) {
        let shared = Arc::clone(&self.shared);
        let Some(id) = message.id else {
            tokio::spawn(async move {
                if let Err(failure) = shared.post(&message).await {
                    tracing::debug!("a message was not taken: {failure:?}");
                }
            });
            return;
        };
        // The lock is held until the handle is stored, so that the task finds it there when it ends.
        let mut state = self.shared.lock();
        let posting = tokio::spawn(async move {
            let posted = shared.post(&message).await;
            shared.lock().requests.remove(&id);
            match posted {
                Err(failure) => shared.router.fail(id, failure),
                Ok(()) => shared.router.fail(id, Failure::Lost), // unless it was answered
            }
        });
        state.requests.insert(id, posting.abort_handle());
    }

    fn forget(&self, id: u64) {
        if let Some(posting) = self.shared.lock().requests.remove(&id) {
            posting.abort();
        }
    }

    fn begin_session(&self, version: &str) {
        let shared = Arc::clone(&self.shared);
        let mut state = self.shared.lock();
        state.version = HeaderValue::from_str(version).ok();
        if let Some(old) = state.unasked.take() {
            old.abort();
        }
        let reading = tokio::spawn(async move { shared.read_unasked().await });
        state.unasked = Some(reading.abort_handle());
    }

    fn is_http(&self) -> bool {
        true
    }

    fn close(&self) -> BoxFuture<'static, ()> {
        let end = self.shared.end_session();
        self.shared.stop();
        Box::pin(end)
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        self.shared.stop();
        // Outside a runtime there is nothing left to tell the server with.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(self.shared.end_session());
        }
    }
}

impl Shared {
    /// Sends a message and takes in what answers it, to the end.
    async fn post(self: &Arc<Self>, message: &Outgoing) -> Result<(), Failure> {
        let begins = message.method.as_deref() == Some("initialize");
        let (request, session) = self.request(message, begins)?;
        let response = (self.exchange)(request).await?;
        if begins && response.status().is_success() {
            self.lock().session = response.headers().get(SESSION).cloned();
        }
        if response.status() == StatusCode::NOT_FOUND && session {
            return Err(Failure::SessionGone);
        }
        let Some(id) = message.id else {
            let status = response.status();
            return if status.is_success() {
                Ok(())
            } else {
                Err(failure(response).await)
            };
        };
        if is_events(&response) && response.status().is_success() {
            return self.follow(id, response.into_body(), session).await;
        }
        self.take_json(id, response).await
    }

    /// The request that carries a message, and whether it belongs to a session.
    fn request(
        &self,
        message: &Outgoing,
        begins: bool,
    ) -> Result<(Request<Full<Bytes>>, bool), Failure> {
        let mut headers = self.headers.clone();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(
            ACCEPT,
            HeaderValue::from_static("application/json, text/event-stream"),
        );
        for (name, value) in &message.headers {
            let (Ok(name), Ok(value)) = (
                HeaderName::from_bytes(name.as_bytes()),
                HeaderValue::from_str(value),
            ) else {
                return Err(Failure::Http {
                    status: 0,
                    text: format!("the header {name} cannot be sent"),
                });
            };
            headers.insert(name, value);
        }
        let session = !begins && self.add_session(&mut headers);
        let body = Full::new(Bytes::from(message.body.clone()));
        Ok((self.build(Method::POST, headers, body), session))
    }

    /// Adds what the messages of a session carry; `false` where there is none, or none with an id.
    fn add_session(&self, headers: &mut HeaderMap) -> bool {
        let state = self.lock();
        if let Some(version) = &state.version {
            headers.entry(VERSION).or_insert_with(|| version.clone());
        }
        match &state.session {
            Some(session) => {
                headers.insert(SESSION, session.clone());
                true
            }
            None => false,
        }
    }

    fn build(
        &self,
        method: Method,
        mut headers: HeaderMap,
        body: Full<Bytes>,
    ) -> Request<Full<Bytes>> {
        if let Some(host) = self
            .url
            .authority()
            .and_then(|host| HeaderValue::from_str(host.as_str()).ok())
        {
            headers.entry(HOST).or_insert(host);
        }
        let mut request = Request::new(body);
        *request.method_mut() = method;
        *request.uri_mut() = self.url.clone();
        *request.headers_mut() = headers;
        request
    }

    /// A body of one message, or of what is none.
    async fn take_json(
        self: &Arc<Self>,
        id: u64,
        response: Response<Incoming>,
    ) -> Result<(), Failure> {
        let status = response.status();
        let body = collect(response).await?;
        if let Ok(messages) = message::read(&body) {
            // An error about a message that could not be read has no id, and is about this one.
            if let [
                Message::Response {
                    id: None,
                    outcome: Err(error),
                },
            ] = &messages[..]
            {
                return Err(match status {
                    // Nobody has looked at the message: who sends it must do something about that first.
                    StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Failure::Http {
                        status: status.as_u16(),
                        text: error.message.to_string(),
                    },
                    _ => Failure::Rpc(error.clone()),
                });
            }
            self.router.receive(&body);
        }
        if !self.router.is_waiting(id) {
            return Ok(());
        }
        Err(Failure::Http {
            status: status.as_u16(),
            text: String::from_utf8_lossy(&body).into_owned(),
        })
    }

    /// Tells the server that a session is over.
    fn end_session(self: &Arc<Self>) -> impl Future<Output = ()> + Send + 'static {
        let mut headers = self.headers.clone();
        let has_session = self.add_session(&mut headers);
        self.lock().session = None;
        let shared = Arc::clone(self);
        async move {
            if has_session {
                let request = shared.build(Method::DELETE, headers, Full::default());
                if let Err(failure) = (shared.exchange)(request).await {
                    tracing::debug!("the end of a session was not told: {failure:?}");
                }
            }
        }
    }

    /// Stops reading.
    fn stop(&self) {
        let mut state = self.lock();
        for (_, posting) in state.requests.drain() {
            posting.abort();
        }
        if let Some(unasked) = state.unasked.take() {
            unasked.abort();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_events(response: &Response<Incoming>) -> bool {
    let kind = response
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.trim_start().starts_with(EVENTS))
}

async fn collect(response: Response<Incoming>) -> Result<Bytes, Failure> {
    match response.into_body().collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) => {
            tracing::debug!("the body of a response broke off: {}", causes(&*error));
            Err(Failure::Lost)
        }
    }
}

/// What a response says that is no answer.
async fn failure(response: Response<Incoming>) -> Failure {
    let status = response.status().as_u16();
    let text = collect(response).await.unwrap_or_default();
    Failure::Http {
        status,
        text: String::from_utf8_lossy(&text).into_owned(),
    }
}
