//! The frames of one HTTP exchange, from whoever sends them to the response body that carries them.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};

use tokio::sync::Notify;

use crate::model::BoxFuture;
use crate::server::outlet::{Answer, ErrorKind, Lost, Outlet};
use crate::wire::Frame;

/// Events kept for a client that comes back for them.
const KEPT_EVENTS: usize = 256;
/// Bytes of those.
const KEPT_BYTES: usize = 1024 * 1024;

/// One frame, with its place in the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) number: u64,
    pub(super) frame: Frame,
}

/// What becomes of frames that nobody reads at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The response to a modern request: without its reader it is over.
    Once,
    /// The response to a legacy request: its client may come back for the rest.
    Resumable,
    /// The stream of a session that belongs to no request: what nobody reads is not sent.
    Session,
}

/// The frames of one exchange, in order. One reader at a time.
pub(super) struct Stream {
    kind: Kind,
    state: Mutex<State>,
    /// Wakes who waits until the reader has kept up.
    room: Notify,
}

#[derive(Default)]
struct State {
    unread: VecDeque<Event>,
    read: VecDeque<Event>,
    read_bytes: usize,
    unread_bytes: usize,
    last: u64,
    /// The response is among the events, or there will be none: nothing follows.
    complete: bool,
    /// The response is a refusal of what was sent.
    refused: bool,
    /// The response's error, where the server answered before any tool ran.
    error: Option<ErrorKind>,
    lost: Option<Lost>,
    waker: Option<Waker>,
    /// Counts the readers, so that one that was replaced ends.
    reading: u64,
    /// Nobody reads at the moment.
    unattended: bool,
}

/// The right to read a stream; a later reader takes it over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reader(u64);

impl Stream {
    pub(super) fn new(kind: Kind) -> Self {
        let state = State {
            unattended: kind == Kind::Session,
            ..State::default()
        };
        Self {
            kind,
            state: Mutex::new(state),
            room: Notify::new(),
        }
    }

    /// Starts reading after event `after`, in place of whoever read before; `None` if what follows it is no
    /// longer there.
    pub(super) fn read_after(&self, after: u64) -> Option<Reader> {
        let mut state = self.lock();
        let oldest = state.read.front().or(state.unread.front());
        let is_gone = oldest.is_some_and(|oldest| after + 1 < oldest.number);
        if after > state.last || is_gone {
            return None;
        }
        while state.read.back().is_some_and(|event| event.number > after) {
            let event = state.read.pop_back()?;
            state.read_bytes -= event.frame.len();
            state.unread_bytes += event.frame.len();
            state.unread.push_front(event);
        }
        Some(state.attend())
    }

    /// Starts reading what nobody has read, in place of whoever read before.
    pub(super) fn read(&self) -> Reader {
        self.lock().attend()
    }

    /// The next event; `None` once there is none any more, for this reader.
    pub(super) fn poll_next(&self, reader: Reader, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        let mut state = self.lock();
        if state.reading != reader.0 {
            return Poll::Ready(None);
        }
        let Some(event) = state.unread.pop_front() else {
            if state.complete {
                return Poll::Ready(None);
            }
            state.waker = Some(cx.waker().clone());
            return Poll::Pending;
        };
        state.unread_bytes -= event.frame.len();
        if state.keeps_up() {
            self.room.notify_waiters();
        }
        if state.complete && state.unread.is_empty() {
            state.lost = None;
        }
        if self.kind != Kind::Once {
            state.keep(event.clone());
        }
        Poll::Ready(Some(event))
    }

    /// Whether the response has been handed to a reader.
    pub(super) fn is_read(&self) -> bool {
        let state = self.lock();
        state.complete && state.unread.is_empty()
    }

    /// Whether somebody reads.
    pub(super) fn is_attended(&self) -> bool {
        !self.lock().unattended
    }

    /// Whether the response is there and nobody reads it.
    pub(super) fn is_settled(&self) -> bool {
        let state = self.lock();
        state.complete && state.unattended
    }

    /// Whether the response refuses what was sent, without naming its id.
    pub(super) fn is_refused(&self) -> bool {
        self.lock().refused
    }

    /// The response's error, where the server answered before any tool ran.
    pub(super) fn error(&self) -> Option<ErrorKind> {
        self.lock().error
    }

    /// `reader` is gone. Tells whether it was the one that read.
    pub(super) fn left(&self, reader: Reader) -> bool {
        let mut state = self.lock();
        if state.reading != reader.0 {
            return false;
        }
        state.unattended = true;
        if self.kind == Kind::Once {
            state.unread.clear();
            state.unread_bytes = 0;
            self.room.notify_waiters();
            let lost = state.lost.take();
            drop(state);
            if let Some(lost) = lost {
                lost();
            }
        }
        true
    }

    fn push(&self, frame: Frame, change: impl FnOnce(&mut State)) -> bool {
        let mut state = self.lock();
        let nobody = state.unattended && self.kind != Kind::Resumable;
        if state.complete || nobody {
            return false;
        }
        state.last += 1;
        let number = state.last;
        state.unread_bytes += frame.len();
        state.unread.push_back(Event { number, frame });
        change(&mut state);
        state.wake();
        true
    }

    fn end(&self, answer: Answer, refused: bool) {
        let Answer { frame, error, lost } = answer;
        let mut lost = lost;
        let sent = self.push(frame, |state| {
            state.complete = true;
            state.refused = refused;
            state.error = error;
            state.lost = lost.take();
        });
        if let Some(lost) = lost.filter(|_| !sent) {
            lost();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .expect("no panic while a stream is locked")
    }
}

impl Outlet for Stream {
    fn send(&self, frame: Frame) -> bool {
        self.push(frame, |_| {})
    }

    fn is_open(&self) -> bool {
        let state = self.lock();
        !state.unattended && !state.complete
    }

    fn keeps_up(&self) -> bool {
        self.lock().keeps_up()
    }

    fn room(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            loop {
                let room = self.room.notified();
                tokio::pin!(room);
                room.as_mut().enable();
                if self.keeps_up() {
                    return;
                }
                room.await;
            }
        })
    }

    fn respond(&self, answer: Answer) {
        self.end(answer, false);
    }

    fn refuse(&self, answer: Answer) {
        self.end(answer, true);
    }

    fn close(&self) {
        let mut state = self.lock();
        state.complete = true;
        state.wake();
    }
}

impl State {
    fn keeps_up(&self) -> bool {
        self.unread_bytes <= KEPT_BYTES
    }

    fn attend(&mut self) -> Reader {
        self.reading += 1;
        self.unattended = false;
        self.wake();
        Reader(self.reading)
    }

    fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    fn keep(&mut self, event: Event) {
        self.read_bytes += event.frame.len();
        self.read.push_back(event);
        while self.read.len() > KEPT_EVENTS || self.read_bytes > KEPT_BYTES {
            let Some(oldest) = self.read.pop_front() else {
                return;
            };
            self.read_bytes -= oldest.frame.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    async fn next(stream: &Stream, reader: Reader) -> Option<String> {
        let event = poll_fn(|cx| stream.poll_next(reader, cx)).await?;
        Some(String::from_utf8(event.frame).expect("text"))
    }

    fn respond(stream: &Stream, frame: &str) {
        stream.respond(Answer {
            frame: frame.into(),
            error: None,
            lost: None,
        });
    }

    #[tokio::test]
    async fn frames_come_in_order_and_end_with_the_response() {
        let stream = Stream::new(Kind::Once);
        let reader = stream.read();
        assert!(stream.send(b"one".to_vec()));
        respond(&stream, "two");
        assert!(!stream.send(b"too late".to_vec()));
        assert_eq!(next(&stream, reader).await.as_deref(), Some("one"));
        assert!(!stream.is_read());
        assert_eq!(next(&stream, reader).await.as_deref(), Some("two"));
        assert!(stream.is_read());
        assert_eq!(next(&stream, reader).await, None);
    }

    #[tokio::test]
    async fn a_reader_that_resumes_gets_what_it_missed_and_the_old_one_ends() {
        let stream = Stream::new(Kind::Resumable);
        let first = stream.read();
        for frame in ["one", "two"] {
            stream.send(frame.into());
        }
        next(&stream, first).await;
        next(&stream, first).await;
        assert!(stream.left(first));
        respond(&stream, "three");
        let second = stream.read_after(1).expect("still kept");
        assert_eq!(next(&stream, first).await, None);
        assert_eq!(next(&stream, second).await.as_deref(), Some("two"));
        assert_eq!(next(&stream, second).await.as_deref(), Some("three"));
        assert!(!stream.left(first), "it was replaced");
    }

    #[tokio::test]
    async fn events_are_kept_up_to_a_bound() {
        let stream = Stream::new(Kind::Resumable);
        let reader = stream.read();
        for _ in 0..=KEPT_EVENTS {
            stream.send(b"x".to_vec());
            next(&stream, reader).await;
        }
        assert!(stream.read_after(0).is_none(), "the first event is gone");
        assert!(stream.read_after(1).is_some());
        assert!(stream.read_after(9_999).is_none(), "never was");
    }

    #[tokio::test]
    async fn a_waiting_reader_is_woken() {
        let stream = Arc::new(Stream::new(Kind::Once));
        let reader = stream.read();
        let waiting = tokio::spawn({
            let stream = Arc::clone(&stream);
            async move { next(&stream, reader).await }
        });
        tokio::task::yield_now().await;
        stream.send(b"late".to_vec());
        assert_eq!(waiting.await.expect("no panic").as_deref(), Some("late"));
    }

    #[test]
    fn what_nobody_reads_is_not_sent_on_a_sessions_own_stream() {
        let stream = Stream::new(Kind::Session);
        assert!(!stream.is_open());
        assert!(!stream.send(b"x".to_vec()));
        let reader = stream.read();
        assert!(stream.is_open());
        assert!(stream.send(b"x".to_vec()));
        stream.left(reader);
        assert!(!stream.send(b"x".to_vec()));
    }

    #[test]
    fn a_response_that_its_client_did_not_take_is_reported_lost_and_only_then() {
        let lost = |leave: bool, late: bool| {
            let heard = Arc::new(AtomicBool::new(false));
            let stream = Stream::new(Kind::Once);
            let reader = stream.read();
            if late {
                stream.left(reader);
            }
            let flag = Arc::clone(&heard);
            stream.respond(Answer {
                frame: b"task".to_vec(),
                error: None,
                lost: Some(Box::new(move || flag.store(true, Ordering::Relaxed))),
            });
            let mut cx = Context::from_waker(Waker::noop());
            if !leave {
                assert!(stream.poll_next(reader, &mut cx).is_ready());
            }
            stream.left(reader);
            heard.load(Ordering::Relaxed)
        };
        assert!(!lost(false, false), "it was read");
        assert!(lost(true, false), "left before it was read");
        assert!(lost(true, true), "left before it was sent");
    }
}
