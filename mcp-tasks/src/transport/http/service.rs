//! The endpoint as a tower service.

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::header::HeaderValue;
use http::{Method, Request, Response, StatusCode};
use http_body::Body;
use tower_service::Service;

use super::answer::{self, json, status};
use super::body::ResponseBody;
use super::exchanges::Exchanges;
use super::guard::Guard;
use super::headers;
use super::intake::{Intake, Refusal};
use super::posted::{Posted, in_session, take_in};
use super::sent::{Caller, Sent};
use super::session::{OWN_STREAM, Session, Sessions};
use super::sse;
use super::stream::{Kind, Stream};
use crate::model::BoxFuture;
use crate::model::error::RpcError;
use crate::server::at_once::AtOnce;
use crate::server::outlet::Outlet;
use crate::server::{Auth, Core, Error, Headers, Peer, Server};
use crate::wire::envelope::{self, Incoming, RequestId};
use crate::wire::meta::Meta;

impl Server {
    /// This server's MCP endpoint as a tower service, to be put into any HTTP server or behind any layer.
    ///
    /// # Errors
    /// What [`check`](Server::check) finds.
    pub fn into_service(self) -> Result<HttpService, Error> {
        let core = self.core()?;
        Ok(HttpService(Arc::new(Endpoint {
            sessions: Sessions::new(Arc::clone(&core)),
            exchanges: Arc::default(),
            intake: Intake::new(core.limits()),
            guard: Guard(self.allowed()),
            auth: self.auth(),
            at_once: Arc::new(InPlace),
            core,
        })))
    }
}

/// An MCP endpoint: a tower service over the types of the `http` crate. Clones share everything.
///
/// [The guide](crate::guide::http#which-way-to-serve) has one in an application of axum.
#[derive(Clone)]
pub struct HttpService(Arc<Endpoint>);

impl HttpService {
    /// Whether a client may ask how to get a token.
    #[cfg(feature = "axum")]
    pub(super) fn has_metadata(&self) -> bool {
        self.0.auth.has_metadata()
    }

    /// The answer to a request that came to a listener of the server's own.
    pub(super) async fn served<B>(
        self: Arc<Self>,
        request: Request<B>,
    ) -> Result<Response<ResponseBody>, Infallible>
    where
        B: Body + Send + 'static,
        B::Data: Send,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let path = request.uri().path();
        Ok(
            if matches!(path, "/mcp" | "/mcp/") || self.0.auth.describes(path) {
                self.0.answer(request).await
            } else {
                status(StatusCode::NOT_FOUND)
            },
        )
    }

    /// Ends what is open, giving calls the `drain` of [`Limits`](crate::Limits) to finish.
    pub async fn shut_down(&self) {
        let drain = self.0.core.drain();
        tokio::join!(
            self.0.sessions.end_all(drain),
            self.0.exchanges.end_all(drain)
        );
        self.0.core.shut_down().await;
    }
}

impl fmt::Debug for HttpService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpService").finish_non_exhaustive()
    }
}

impl<B> Service<Request<B>> for HttpService
where
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Response = Response<ResponseBody>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let endpoint = Arc::clone(&self.0);
        Box::pin(async move { Ok(endpoint.answer(request).await) })
    }
}

struct Endpoint {
    core: Arc<Core>,
    sessions: Arc<Sessions>,
    exchanges: Arc<Exchanges>,
    intake: Intake,
    guard: Guard,
    auth: Auth,
    at_once: Arc<dyn AtOnce>,
}

/// A request has the task that answers it to itself, on the runtime: where its call begins matters to nobody else.
struct InPlace;

impl AtOnce for InPlace {
    fn at_once(&self, work: &mut dyn FnMut()) -> bool {
        work();
        true
    }
}

impl Endpoint {
    async fn answer<B>(&self, request: Request<B>) -> Response<ResponseBody>
    where
        B: Body + Send + 'static,
        B::Data: Send,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let (mut parts, body) = request.into_parts();
        if let Err(why) = self.guard.check(&parts.headers, &parts.uri) {
            return answer::error(StatusCode::FORBIDDEN, &invalid(why));
        }
        // Before the door: a client reads it to learn how to get in.
        if self.auth.describes(parts.uri.path()) {
            return match parts.method {
                Method::GET | Method::HEAD => self.auth.metadata(),
                _ => answer::not_allowed("GET, HEAD"),
            };
        }
        if let Err(refused) = self.auth.admit(&mut parts).await {
            return refused;
        }
        let caller = Caller::of(parts.headers, parts.extensions);
        match parts.method {
            Method::POST => match self.intake.receive(body).await {
                Ok(body) => {
                    let posted = self.post(&Sent::by(&caller), body.bytes());
                    drop(body);
                    self.response(posted).await
                }
                Err(Refusal::Error(status, error)) => answer::error(status, &error),
                Err(Refusal::Busy(error)) => answer::busy(None, &error),
            },
            Method::GET => self.get(&Sent::by(&caller)),
            Method::DELETE => self.delete(&Sent::by(&caller)).await,
            _ => answer::not_allowed("POST, GET, DELETE"),
        }
    }

    /// Takes in a message. Nothing of its body is needed to wait for the response.
    fn post(&self, sent: &Sent<'_>, body: &[u8]) -> Posted {
        let incoming = match envelope::parse(body) {
            Ok(incoming) => incoming,
            Err(fault) => {
                let frame = crate::wire::modern::error(fault.id.as_ref(), &fault.error);
                return Posted::Answered(json(StatusCode::BAD_REQUEST, frame));
            }
        };
        match &incoming {
            Incoming::Request(request) => {
                let modern = sent.headers.modern()
                    || crate::server::is_modern_method(&request.method)
                    || Meta::read(request.params.meta).is_ok_and(|meta| meta.is_modern());
                if modern {
                    return self.modern(sent, incoming);
                }
                if request.method == "initialize" {
                    return self.initialize(sent, incoming);
                }
            }
            // A modern client has nothing to tell: what it closes is cancelled.
            Incoming::Notification(_) if sent.headers.session_id().is_none() => {
                return Posted::Answered(status(StatusCode::ACCEPTED));
            }
            _ => {}
        }
        match self.session(sent) {
            Ok(session) => in_session(session, sent, incoming),
            Err(refused) => Posted::Answered(refused),
        }
    }

    /// A request that stands alone: its peer lives as long as its response.
    fn modern(&self, sent: &Sent<'_>, incoming: Incoming<'_>) -> Posted {
        let stream = Arc::new(Stream::new(Kind::Once));
        let outlet: Arc<dyn Outlet> = Arc::clone(&stream) as _;
        let peer = Peer::new(
            Arc::clone(&self.core),
            sent.caller.owner.clone(),
            Arc::clone(&outlet),
        );
        peer.begin_at_once(Arc::clone(&self.at_once));
        take_in(&peer, incoming, &outlet, sent);
        Posted::Modern { peer, stream }
    }

    fn initialize(&self, sent: &Sent<'_>, incoming: Incoming<'_>) -> Posted {
        let (session, pass) = match self.sessions.prepare(&sent.caller.owner) {
            Ok(prepared) => prepared,
            Err(error) => {
                return Posted::Answered(answer::busy(request_id(&incoming), &error));
            }
        };
        session.peer.begin_at_once(Arc::clone(&self.at_once));
        let posted = in_session(Arc::clone(&session), sent, incoming);
        if session.peer.is_initialized() {
            self.sessions.admit(&session, pass);
        }
        posted
    }

    async fn response(&self, posted: Posted) -> Response<ResponseBody> {
        let keep_alive = self.core.limits().keep_alive;
        match posted {
            Posted::Answered(response) => response,
            Posted::Modern { peer, stream } => {
                // What is answered by now, nobody has to end.
                let entry = (!stream.is_complete()).then(|| self.exchanges.enter(&peer));
                answer::modern_response(peer, entry, stream, keep_alive).await
            }
            Posted::InSession {
                session,
                name,
                stream,
                opens_it,
            } => {
                let id = opens_it.then(|| session.id.clone());
                let mut response =
                    answer::session_response(session, name, stream, keep_alive).await;
                if let Some(id) = id {
                    let id = HeaderValue::try_from(id).expect("digits are a header value");
                    response.headers_mut().insert(&headers::SESSION, id);
                }
                response
            }
        }
    }

    /// The session's own stream, or the rest of a response that broke off.
    fn get(&self, sent: &Sent<'_>) -> Response<ResponseBody> {
        if sent.headers.session_id().is_none() {
            return answer::not_allowed("POST");
        }
        let session = match self.session(sent) {
            Ok(session) => session,
            Err(refused) => return refused,
        };
        let keep_alive = self.core.limits().keep_alive;
        let resume = sent.headers.last_event();
        if let Some((name, after)) = resume.and_then(sse::read_event_id)
            && let Some(stream) = session.stream(name)
            && let Some(reader) = stream.read_after(after)
        {
            session.peer.reachable_again(false);
            return answer::resumed(session, name, stream, reader, keep_alive);
        }
        let stream = Arc::clone(&session.own);
        let reader = stream.read();
        session.peer.reachable_again(true);
        answer::resumed(session, OWN_STREAM, stream, reader, keep_alive)
    }

    async fn delete(&self, sent: &Sent<'_>) -> Response<ResponseBody> {
        if sent.headers.session_id().is_none() {
            return answer::not_allowed("POST");
        }
        match self.session(sent) {
            Ok(session) => {
                self.sessions.end(&session).await;
                status(StatusCode::NO_CONTENT)
            }
            Err(refused) => refused,
        }
    }

    #[expect(
        clippy::result_large_err,
        reason = "it is made to be returned, once a request"
    )]
    fn session(&self, sent: &Sent<'_>) -> Result<Arc<Session>, Response<ResponseBody>> {
        let Some(id) = sent.headers.session_id() else {
            let error = invalid("the Mcp-Session-Id header is missing: send `initialize` first");
            return Err(answer::error(StatusCode::BAD_REQUEST, &error));
        };
        let Some(session) = self.sessions.find(id, &sent.caller.owner) else {
            let error = invalid("there is no such session: send `initialize` again");
            return Err(answer::error(StatusCode::NOT_FOUND, &error));
        };
        if sent.headers.names_unknown_version() {
            let error = invalid("the MCP-Protocol-Version header names an unknown version");
            return Err(answer::error(StatusCode::BAD_REQUEST, &error));
        }
        Ok(session)
    }
}

fn request_id<'a>(incoming: &'a Incoming<'_>) -> Option<&'a RequestId> {
    match incoming {
        Incoming::Request(request) => Some(&request.id),
        _ => None,
    }
}

fn invalid(why: &str) -> RpcError {
    RpcError::new(RpcError::INVALID_REQUEST, why.to_owned())
}
