//! Streamable HTTP: a request is a POST of its own, its answer JSON or an event stream; a session of before 2026-07-28
//! has another stream for what the server says unasked.

mod endpoint;
mod stream;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE, HOST, LOCATION, RETRY_AFTER};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, Uri};
use http_body_util::{BodyExt, Full};
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::timeout;

pub use self::endpoint::HttpEndpoint;
use self::endpoint::{Exchange, Incoming, causes};
use super::{Outgoing, Transport};
use crate::client::router::{Failure, Router};
use crate::client::running::Running;
use crate::model::BoxFuture;
use crate::wire::client::message::{self, Incoming as Message};

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
/// Ends the handshake of a session.
const GREETING: &str = "notifications/initialized";
/// How long a server may take with what nobody waits for, before it is passed over.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long the first request of a session waits until the server's own stream is open. Some servers send no head of a
/// stream that has nothing to say yet.
const OPENING: Duration = Duration::from_millis(500);
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
    /// Messages that nobody waits for an answer to, on their way.
    telling: Running,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The session's id and version, once it has begun (before 2026-07-28).
    session: Option<HeaderValue>,
    version: Option<HeaderValue>,
    /// Requests under way.
    requests: HashMap<u64, AbortHandle>,
    /// Closes when the server has taken the greeting.
    greeted: Option<watch::Receiver<()>>,
    /// Reads what the server says unasked.
    unasked: Option<AbortHandle>,
    /// Closes when the server has answered to that, for better or worse.
    opened: Option<watch::Receiver<()>>,
}

impl Http {
    fn new(url: Uri, headers: HeaderMap, exchange: Exchange, router: Arc<Router>) -> Self {
        Self {
            shared: Arc::new(Shared {
                url,
                headers,
                exchange,
                router,
                telling: Running::default(),
                state: Mutex::default(),
            }),
        }
    }
}

impl Transport for Http {
    fn send(&self, message: Outgoing) {
        let shared = Arc::clone(&self.shared);
        let Some(id) = message.id.filter(|id| shared.router.is_waiting(*id)) else {
            let telling = shared.telling.enter();
            let greeted = shared.greet(&message);
            tokio::spawn(async move {
                if let Err(failure) = shared.post(&message).await {
                    tracing::debug!("a message was not taken: {failure:?}");
                }
                drop((telling, greeted));
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
        let (answered, opened) = watch::channel(());
        let reading = tokio::spawn(async move { shared.read_unasked(answered).await });
        state.unasked = Some(reading.abort_handle());
        state.opened = Some(opened);
    }

    fn is_http(&self) -> bool {
        true
    }

    fn close(&self) -> BoxFuture<'static, ()> {
        self.shared.stop();
        Box::pin(Arc::clone(&self.shared).end())
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        self.shared.stop();
        // Outside a runtime there is nothing left to tell the server with.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(Arc::clone(&self.shared).end());
        }
    }
}

impl Shared {
    /// Sends a message and takes in what answers it, to the end.
    async fn post(self: &Arc<Self>, message: &Outgoing) -> Result<(), Failure> {
        let begins = message.method.as_deref() == Some("initialize");
        if !begins && message.method.as_deref() != Some(GREETING) {
            self.greeted().await;
            if message.id.is_some() {
                self.listening().await;
            }
        }
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
                Err(self.failure(response).await)
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
                    retry_after: None,
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
        let (retry_after, location) = (retry_after(&response), location(&response));
        let body = self.collect(response).await?;
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
                        retry_after: None,
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
            text: location.unwrap_or_else(|| String::from_utf8_lossy(&body).into_owned()),
            retry_after,
        })
    }

    async fn collect(&self, response: Response<Incoming>) -> Result<Vec<u8>, Failure> {
        let mut body = response.into_body();
        let mut bytes = Vec::new();
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| {
                tracing::debug!("the body of a response broke off: {}", causes(&*error));
                Failure::Lost
            })?;
            let Ok(chunk) = frame.into_data() else {
                continue;
            };
            if bytes.len() + chunk.len() > self.router.message_bytes {
                return Err(Failure::Broken(self.router.too_long()));
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }

    /// What a response says that is no answer.
    async fn failure(&self, response: Response<Incoming>) -> Failure {
        let status = response.status().as_u16();
        let (retry_after, location) = (retry_after(&response), location(&response));
        let body = self.collect(response).await.unwrap_or_default();
        Failure::Http {
            status,
            text: location.unwrap_or_else(|| String::from_utf8_lossy(&body).into_owned()),
            retry_after,
        }
    }

    /// Marks the greeting that ends a handshake, which has arrived when what this returns is dropped.
    fn greet(&self, message: &Outgoing) -> Option<watch::Sender<()>> {
        (message.method.as_deref() == Some(GREETING)).then(|| {
            let (arrived, greeted) = watch::channel(());
            self.lock().greeted = Some(greeted);
            arrived
        })
    }

    /// Some servers refuse what overtakes the greeting.
    async fn greeted(&self) {
        let greeted = self.lock().greeted.clone();
        if let Some(mut greeted) = greeted {
            // Nothing is ever sent: the channel closes.
            let _ = timeout(PATIENCE, greeted.changed()).await;
        }
    }

    /// What some servers ask in a call's name, they put on the stream for what they say unasked, and lose it if that is not
    /// open yet.
    async fn listening(&self) {
        let opened = self.lock().opened.clone();
        if let Some(mut opened) = opened {
            let _ = timeout(OPENING, opened.changed()).await;
            let mut state = self.lock();
            // Unless another session has begun meanwhile.
            state.opened.take_if(|now| now.same_channel(&opened));
        }
    }

    /// Tells the server that a session is over, once what is on its way has arrived.
    async fn end(self: Arc<Self>) {
        let _ = timeout(PATIENCE, self.telling.idle()).await;
        let mut headers = self.headers.clone();
        if !self.add_session(&mut headers) {
            return;
        }
        self.lock().session = None;
        let request = self.build(Method::DELETE, headers, Full::default());
        match timeout(PATIENCE, (self.exchange)(request)).await {
            Ok(Ok(_)) => {}
            failed => tracing::debug!("the end of a session was not told: {:?}", failed.err()),
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

/// When to come back, where that is told in seconds.
fn retry_after(response: &Response<Incoming>) -> Option<Duration> {
    let seconds = response.headers().get(RETRY_AFTER)?.to_str().ok()?;
    seconds.trim().parse().ok().map(Duration::from_secs)
}

/// Where a redirect leads. It is not followed: another host might get a token that is not for it.
fn location(response: &Response<Incoming>) -> Option<String> {
    let leads = response.status().is_redirection();
    let location = response.headers().get(LOCATION).filter(|_| leads)?;
    location.to_str().ok().map(str::to_owned)
}
