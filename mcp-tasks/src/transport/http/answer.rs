//! From the frames of an exchange to the HTTP response: plain JSON as long as nothing forces an event stream.

use std::future::poll_fn;
use std::sync::Arc;
use std::time::Duration;

use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderValue, Response, StatusCode};

use super::body::{Events, ResponseBody};
use super::exchanges::Entry;
use super::session::Session;
use super::stream::{Reader, Stream};
use super::within::within;
use crate::model::error::{Busy, RpcError};
use crate::server::Peer;
use crate::server::outlet::ErrorKind;
use crate::wire::envelope::RequestId;
use crate::wire::{Message, Revision, modern};

/// Silence after which a response becomes an event stream, so that its connection can be kept alive.
const PATIENCE: Duration = Duration::from_secs(10);

/// Told when the client of a modern request is gone: that is its cancellation.
struct Attached {
    peer: Arc<Peer>,
    _entry: Option<Entry>,
    stream: Arc<Stream>,
    reader: Reader,
}

impl Drop for Attached {
    fn drop(&mut self) {
        let answered = self.stream.is_read();
        self.stream.left(self.reader);
        if !answered {
            self.peer.abandon();
        }
    }
}

/// The response to a modern request.
pub(super) async fn modern_response(
    peer: Arc<Peer>,
    entry: Option<Entry>,
    stream: Arc<Stream>,
    keep_alive: Duration,
) -> Response<ResponseBody> {
    let reader = stream.read();
    let attached = Attached {
        peer,
        _entry: entry,
        stream: Arc::clone(&stream),
        reader,
    };
    let first = within(PATIENCE, poll_fn(|cx| stream.poll_first(reader, cx))).await;
    let events = || Events::new(Arc::clone(&stream), reader, None, keep_alive);
    match first {
        Ok(None) => status(StatusCode::NO_CONTENT),
        Ok(Some(event)) if stream.is_read() => {
            let error = stream.error();
            let code = error.map_or(StatusCode::OK, modern_status);
            let mut response = json(code, event.message);
            if let Some(busy) = error.and_then(|error| error.busy) {
                retry_after(&mut response, busy);
            }
            response
        }
        Ok(Some(event)) => event_stream(events().after(&event).guarded(attached)),
        Err(_) => event_stream(events().guarded(attached)),
    }
}

/// Told when the reader of a session's stream is gone, which cancels nothing.
struct Reading {
    session: Arc<Session>,
    name: u64,
    stream: Arc<Stream>,
    reader: Reader,
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.stream.left(self.reader);
        if self.stream.is_read() {
            self.session.close_stream(self.name);
        }
    }
}

/// The response to a request of a session.
pub(super) async fn session_response(
    session: Arc<Session>,
    name: u64,
    stream: Arc<Stream>,
    keep_alive: Duration,
) -> Response<ResponseBody> {
    let reader = stream.read();
    let reading = Reading {
        session,
        name,
        stream: Arc::clone(&stream),
        reader,
    };
    let first = within(PATIENCE, poll_fn(|cx| stream.poll_first(reader, cx))).await;
    let single = match first {
        Ok(None) => return status(StatusCode::ACCEPTED),
        Ok(Some(event)) if stream.is_read() => {
            let refused = stream.is_refused();
            let code = if refused {
                StatusCode::BAD_REQUEST
            } else {
                StatusCode::OK
            };
            return json(code, event.message);
        }
        Ok(Some(event)) => Some(event),
        Err(_) => None,
    };
    let events = session_events(&reading, reader, keep_alive);
    event_stream(match single {
        Some(event) => events.after(&event).guarded(reading),
        None => events.guarded(reading),
    })
}

/// The rest of a stream for a client that came back, or a session's own stream.
pub(super) fn resumed(
    session: Arc<Session>,
    name: u64,
    stream: Arc<Stream>,
    reader: Reader,
    keep_alive: Duration,
) -> Response<ResponseBody> {
    let reading = Reading {
        session,
        name,
        stream,
        reader,
    };
    let events = session_events(&reading, reader, keep_alive);
    event_stream(events.guarded(reading))
}

fn session_events(reading: &Reading, reader: Reader, keep_alive: Duration) -> Events {
    let stream = Arc::clone(&reading.stream);
    let events = Events::new(stream, reader, Some(reading.name), keep_alive);
    // Older clients fail on an event without content.
    if reading.session.peer.revision() >= Some(Revision::V2025_11_25) {
        events.primed()
    } else {
        events
    }
}

/// Where the specification names a status for an error that the server itself answers with.
fn modern_status(error: ErrorKind) -> StatusCode {
    if let Some(busy) = error.busy {
        return busy_status(busy);
    }
    match error.code {
        RpcError::METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
        RpcError::PARSE
        | RpcError::INVALID_REQUEST
        | RpcError::INVALID_PARAMS
        | RpcError::HEADER_MISMATCH
        | RpcError::MISSING_CAPABILITY
        | RpcError::UNSUPPORTED_VERSION => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    }
}

pub(super) fn json(code: StatusCode, message: impl Into<Message>) -> Response<ResponseBody> {
    let mut response = Response::new(ResponseBody::whole(message.into()));
    *response.status_mut() = code;
    let kind = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

/// An error about a message whose id there is nothing to answer under.
pub(super) fn error(code: StatusCode, error: &RpcError) -> Response<ResponseBody> {
    json(code, modern::error(None, error))
}

/// A request for which there is no room, answered before anybody has looked at it.
pub(super) fn busy(id: Option<&RequestId>, error: &RpcError) -> Response<ResponseBody> {
    let busy = error.busy;
    let code = busy.map_or(StatusCode::SERVICE_UNAVAILABLE, busy_status);
    let mut response = json(code, modern::error(id, error));
    if let Some(busy) = busy {
        retry_after(&mut response, busy);
    }
    response
}

/// 429 where only this caller has to wait (RFC 6585), else 503.
fn busy_status(busy: Busy) -> StatusCode {
    if busy.of_caller {
        StatusCode::TOO_MANY_REQUESTS
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    }
}

/// In seconds, of which a fraction is a whole one.
fn retry_after(response: &mut Response<ResponseBody>, busy: Busy) {
    let seconds = busy.retry_after.div_ceil(1_000);
    response.headers_mut().insert(RETRY_AFTER, seconds.into());
}

pub(super) fn status(code: StatusCode) -> Response<ResponseBody> {
    let mut response = Response::new(ResponseBody::empty());
    *response.status_mut() = code;
    response
}

pub(super) fn not_allowed(allow: &'static str) -> Response<ResponseBody> {
    let mut response = status(StatusCode::METHOD_NOT_ALLOWED);
    let allow = HeaderValue::from_static(allow);
    response.headers_mut().insert(ALLOW, allow);
    response
}

fn event_stream(events: Events) -> Response<ResponseBody> {
    let mut response = Response::new(ResponseBody::events(events));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    // A proxy that buffers would hold every event back until the end.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}
