//! Event streams: that of a request, taken up again where it broke, and that of a session.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::ACCEPT;
use http::{HeaderName, HeaderValue, Method, StatusCode};
use http_body_util::{BodyExt, Full};
use tokio::sync::watch;

use super::{Incoming, Shared, causes, is_events};
use crate::client::router::Failure;
use crate::client::transport::sse::Events;

const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");
/// Before a stream is taken up again, where the server names no time.
const RETRY: Duration = Duration::from_secs(1);
/// A server that names less would be asked without a pause.
const SHORTEST: Duration = Duration::from_millis(100);
/// A server that names more is not taken at its word.
const ASKED: Duration = Duration::from_secs(3600);
/// At most, however often it has failed.
const LONGEST: Duration = Duration::from_secs(30);
/// How often in a row it may fail.
const FAILURES: u32 = 8;

impl Shared {
    /// Reads the stream that answers the request `id`. One of a session that breaks is taken up where it broke, if it
    /// gave an id to do so by (2025-03-26 to 2025-11-25, "Resumability and Redelivery").
    pub(super) async fn follow(
        self: &Arc<Self>,
        id: u64,
        mut body: Incoming,
        session: bool,
    ) -> Result<(), Failure> {
        let mut events = Events::default();
        let mut failures = 0;
        loop {
            if self.pump(body, &mut events, Some(id)).await? {
                failures = 0;
            }
            if !self.router.is_waiting(id) {
                return Ok(());
            }
            if !session || events.last_id.is_none() {
                return Err(Failure::Lost);
            }
            body = loop {
                failures += 1;
                if failures > FAILURES {
                    return Err(Failure::Lost);
                }
                let wait = wait(&events, failures);
                // A stream that the server ends is taken up again as a matter of course.
                if failures > 1 {
                    tracing::warn!(
                        "the stream of an answer broke off; taking it up again in {wait:?}"
                    );
                }
                tokio::time::sleep(wait).await;
                match self.get(&events).await {
                    Ok(body) => break body,
                    Err(Failure::Lost | Failure::Connect(_)) => {}
                    // The call itself may have run: it is not to be asked again as if it had not.
                    Err(failure) => {
                        tracing::debug!("a stream cannot be taken up again: {failure:?}");
                        return Err(Failure::Lost);
                    }
                }
            };
            events = events.taken_up();
        }
    }

    /// Reads what the server of a session says unasked, as long as it offers that. `answered` is dropped once the server has
    /// answered the first time.
    pub(super) async fn read_unasked(self: &Arc<Self>, answered: watch::Sender<()>) {
        let mut events = Events::default();
        let mut failures = 0;
        let mut answered = Some(answered);
        loop {
            let got = self.get(&events).await;
            answered.take();
            match got {
                Ok(body) => match self.pump(body, &mut events, None).await {
                    Ok(true) => failures = 0,
                    Ok(false) => {}
                    Err(failure) => {
                        tracing::warn!("no stream for what the server says unasked: {failure:?}");
                        return;
                    }
                },
                Err(Failure::Lost | Failure::Connect(_)) => {}
                Err(failure) => {
                    tracing::debug!("no stream for what the server says unasked: {failure:?}");
                    return;
                }
            }
            failures += 1;
            tokio::time::sleep(wait(&events, failures)).await;
            events = events.taken_up();
        }
    }

    /// Reads a body to its end, or to the response of `id`; whether anything came.
    async fn pump(
        self: &Arc<Self>,
        mut body: Incoming,
        events: &mut Events,
        id: Option<u64>,
    ) -> Result<bool, Failure> {
        let most = self.router.message_bytes;
        let mut any = false;
        while let Some(frame) = body.frame().await {
            let chunk = match frame.map(http_body::Frame::into_data) {
                Ok(Ok(chunk)) => chunk,
                Ok(Err(_trailers)) => continue,
                Err(error) => {
                    tracing::debug!("an event stream broke off: {}", causes(&*error));
                    break;
                }
            };
            any = true;
            let mut longest = 0;
            events.feed(&chunk, |event| {
                longest = longest.max(event.data.len());
                if event.data.len() <= most && !event.data.trim_ascii().is_empty() {
                    self.router.receive(&event.data);
                }
            });
            if longest.max(events.pending()) > most {
                return Err(Failure::Broken(self.router.too_long()));
            }
            if id.is_some_and(|id| !self.router.is_waiting(id)) {
                break;
            }
        }
        Ok(any)
    }

    /// A stream of a session, from where it broke.
    async fn get(self: &Arc<Self>, events: &Events) -> Result<Incoming, Failure> {
        let mut headers = self.headers.clone();
        headers.insert(ACCEPT, HeaderValue::from_static(super::EVENTS));
        self.add_session(&mut headers);
        if let Some(id) = &events.last_id
            && let Ok(id) = HeaderValue::from_bytes(id.as_bytes())
        {
            headers.insert(LAST_EVENT, id);
        }
        let request = self.build(Method::GET, headers, Full::<Bytes>::default());
        let response = (self.exchange)(request).await?;
        match response.status() {
            StatusCode::OK if is_events(&response) => Ok(response.into_body()),
            StatusCode::NOT_FOUND => Err(Failure::SessionGone),
            status if status.is_server_error() => Err(Failure::Lost),
            _ => Err(self.failure(response).await),
        }
    }
}

fn wait(events: &Events, failures: u32) -> Duration {
    let base = events.retry.unwrap_or(RETRY).clamp(SHORTEST, ASKED);
    base.saturating_mul(1 << (failures.clamp(1, FAILURES) - 1))
        .min(LONGEST.max(base))
}
