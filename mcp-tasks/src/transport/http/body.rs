//! The body of a response: nothing, one JSON message, or an event stream.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use tokio::time::{Instant, Sleep};

use super::sse;
use super::stream::{Event, Reader, Stream};
use crate::wire::{Message, Piece};

/// The body of every response of this service.
///
/// [The guide](crate::guide::http#which-way-to-serve) serves the service that answers with it.
#[derive(Debug)]
pub struct ResponseBody(Content);

enum Content {
    /// What is large of a result is a piece of its own.
    Whole {
        first: Option<Bytes>,
        rest: VecDeque<Bytes>,
    },
    Events(Box<Events>),
}

impl std::fmt::Debug for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Whole { .. } => "Whole",
            Self::Events(_) => "Events",
        })
    }
}

/// An event stream in the course of being written.
pub(super) struct Events {
    stream: Arc<Stream>,
    reader: Reader,
    /// The stream's name in event ids; `None` where nothing can be resumed.
    name: Option<u64>,
    /// Written before anything that is still to come.
    first: VecDeque<Bytes>,
    keep_alive: Duration,
    silence: Pin<Box<Sleep>>,
    /// Dropped with the body: whoever must know that the client is gone.
    guard: Option<Box<dyn Send>>,
}

impl Events {
    pub(super) fn new(
        stream: Arc<Stream>,
        reader: Reader,
        name: Option<u64>,
        keep_alive: Duration,
    ) -> Self {
        Self {
            stream,
            reader,
            name,
            first: VecDeque::new(),
            keep_alive,
            silence: Box::pin(tokio::time::sleep(keep_alive)),
            guard: None,
        }
    }

    pub(super) fn primed(mut self) -> Self {
        self.first.extend(self.name.map(sse::priming));
        self
    }

    /// An event that was taken from the stream before there was a body.
    pub(super) fn after(mut self, event: &Event) -> Self {
        self.first.push_back(sse::event(event, self.name));
        self
    }

    pub(super) fn guarded(mut self, guard: impl Send + 'static) -> Self {
        self.guard = Some(Box::new(guard));
        self
    }
}

impl ResponseBody {
    pub(super) fn empty() -> Self {
        Self(Content::Whole {
            first: None,
            rest: VecDeque::new(),
        })
    }

    pub(super) fn whole(message: Message) -> Self {
        let mut pieces = message.into_pieces().map(|piece| match piece {
            Piece::Own(bytes) => Bytes::from(bytes),
            Piece::Part(part) => Bytes::from_owner(part),
        });
        Self(Content::Whole {
            first: pieces.next(),
            rest: pieces.collect(),
        })
    }

    pub(super) fn events(events: Events) -> Self {
        Self(Content::Events(Box::new(events)))
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let bytes = match &mut self.get_mut().0 {
            Content::Whole { first, rest } => {
                Poll::Ready(std::mem::replace(first, rest.pop_front()))
            }
            Content::Events(events) => events.poll_bytes(cx),
        };
        bytes.map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        matches!(self.0, Content::Whole { first: None, .. })
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Content::Whole { first, rest } => {
                let bytes = first.iter().chain(rest).map(Bytes::len);
                SizeHint::with_exact(bytes.sum::<usize>() as u64)
            }
            Content::Events(_) => SizeHint::default(),
        }
    }
}

impl Events {
    fn poll_bytes(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if let Some(bytes) = self.first.pop_front() {
            return Poll::Ready(Some(bytes));
        }
        if let Poll::Ready(event) = self.stream.poll_next(self.reader, cx) {
            self.rest();
            return Poll::Ready(event.map(|event| sse::event(&event, self.name)));
        }
        if self.silence.as_mut().poll(cx).is_ready() {
            self.rest();
            // Asks to be woken after the next silence.
            let _ = self.silence.as_mut().poll(cx);
            return Poll::Ready(Some(Bytes::from_static(sse::KEEP_ALIVE)));
        }
        Poll::Pending
    }

    fn rest(&mut self) {
        let next = Instant::now() + self.keep_alive;
        self.silence.as_mut().reset(next);
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::super::stream::Kind;
    use super::*;
    use crate::server::outlet::{Answer, Outlet};

    async fn next(body: &mut ResponseBody) -> Option<String> {
        let frame = poll_fn(|cx| Pin::new(&mut *body).poll_frame(cx)).await?;
        let data = frame.expect("infallible").into_data().expect("data");
        Some(String::from_utf8(data.to_vec()).expect("text"))
    }

    #[tokio::test(start_paused = true)]
    async fn a_silent_stream_is_kept_alive_and_ends_with_its_response() {
        let stream = Arc::new(Stream::new(Kind::Resumable));
        let reader = stream.read();
        let keep_alive = Duration::from_secs(15);
        let events = Events::new(Arc::clone(&stream), reader, Some(4), keep_alive).primed();
        let mut body = ResponseBody::events(events);
        assert_eq!(
            next(&mut body).await.as_deref(),
            Some("id: 4-0\nretry: 1000\ndata: \n\n")
        );
        let start = Instant::now();
        assert_eq!(next(&mut body).await.as_deref(), Some(":\n\n"));
        assert_eq!(next(&mut body).await.as_deref(), Some(":\n\n"));
        assert_eq!(start.elapsed(), 2 * keep_alive);
        stream.respond(Answer {
            message: b"{}".to_vec().into(),
            error: None,
            lost: None,
        });
        assert_eq!(
            next(&mut body).await.as_deref(),
            Some("id: 4-1\ndata: {}\n\n")
        );
        assert_eq!(next(&mut body).await, None);
    }

    #[tokio::test]
    async fn one_message_is_one_body_of_its_length() {
        let mut body = ResponseBody::whole(b"{}".to_vec().into());
        assert_eq!(body.size_hint().exact(), Some(2));
        assert_eq!(next(&mut body).await.as_deref(), Some("{}"));
        assert_eq!(next(&mut body).await, None);
        assert!(ResponseBody::empty().is_end_stream());
    }
}
