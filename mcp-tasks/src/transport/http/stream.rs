//! The frames of one HTTP exchange, from whoever sends them to the response body that carries them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker, ready};

use tokio::sync::Notify;

use crate::model::BoxFuture;
use crate::model::principal::Owner;
use crate::server::outlet::{Answer, ErrorKind, Lost, Outlet};
use crate::server::{Gate, Pass};
use crate::wire::{Frame, Message};

/// Events kept for a client that comes back for them.
const KEPT_EVENTS: usize = 256;
/// Bytes of those.
const KEPT_BYTES: usize = 1024 * 1024;

/// One message, with its place in the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) number: u64,
    pub(super) message: Message,
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
    keeping: Option<Keeping>,
}

/// What a response takes room in once nobody reads it.
pub(super) struct Keeping {
    pub(super) room: Arc<Gate>,
    pub(super) owner: Owner,
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
    kept: Kept,
}

/// What becomes of a response that nobody reads.
#[derive(Default)]
enum Kept {
    /// It has a reader, or is yet to come.
    #[default]
    NotYet,
    /// Its client may come back for it.
    Here { _room: Pass },
    /// There was no room: nobody can come for it any more.
    GivenUp,
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
            keeping: None,
        }
    }

    /// The response to a request of a session.
    pub(super) fn resumable(keeping: Keeping) -> Self {
        Self {
            keeping: Some(keeping),
            ..Self::new(Kind::Resumable)
        }
    }

    /// Starts reading after event `after`, in place of whoever read before; `None` if what follows it is no
    /// longer there.
    pub(super) fn read_after(&self, after: u64) -> Option<Reader> {
        let mut state = self.lock();
        if matches!(state.kept, Kept::GivenUp) {
            return None;
        }
        if after > state.last {
            return None;
        }
        let oldest = state.read.front().or(state.unread.front());
        if oldest.is_some_and(|oldest| after + 1 < oldest.number) {
            return None;
        }
        while state.read.back().is_some_and(|event| event.number > after) {
            let event = state.read.pop_back()?;
            state.read_bytes -= event.message.len();
            state.unread_bytes += event.message.len();
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
        let event = ready!(self.poll_event(&mut state, reader, cx));
        if let Some(event) = &event {
            self.keep(&mut state, event);
        }
        Poll::Ready(event)
    }

    /// The same, where a response without anything before it is answered as it is: nobody can come back for that.
    pub(super) fn poll_first(&self, reader: Reader, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        let mut state = self.lock();
        let event = ready!(self.poll_event(&mut state, reader, cx));
        let is_all = state.complete && state.unread.is_empty();
        if let Some(event) = &event
            && !is_all
        {
            self.keep(&mut state, event);
        }
        Poll::Ready(event)
    }

    /// Keeps an event for a client that comes back, if there can be one.
    fn keep(&self, state: &mut State, event: &Event) {
        if self.kind != Kind::Once {
            state.keep(event.clone());
        }
    }

    fn poll_event(
        &self,
        state: &mut State,
        reader: Reader,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Event>> {
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
        state.unread_bytes -= event.message.len();
        if state.keeps_up() {
            self.room.notify_waiters();
        }
        if state.complete && state.unread.is_empty() {
            state.lost = None;
        }
        Poll::Ready(Some(event))
    }

    /// Whether the response is there, read or not.
    pub(super) fn is_complete(&self) -> bool {
        self.lock().complete
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
            return true;
        }
        self.settle(&mut state);
        true
    }

    /// A response that nobody has come for is kept as long as there is room for it.
    fn settle(&self, state: &mut State) {
        let waits = state.complete && state.unattended && !state.unread.is_empty();
        let Some(keeping) = self.keeping.as_ref().filter(|_| waits) else {
            return;
        };
        let bytes = state.read_bytes + state.unread_bytes;
        match keeping.room.enter(&keeping.owner, bytes) {
            Ok(pass) => state.kept = Kept::Here { _room: pass },
            Err(_) => state.give_up(),
        }
    }

    fn push(&self, message: Message, change: impl FnOnce(&mut State)) -> bool {
        let mut state = self.lock();
        let nobody = state.unattended && self.kind != Kind::Resumable;
        if state.complete || nobody {
            return false;
        }
        state.last += 1;
        let number = state.last;
        state.unread_bytes += message.len();
        state.unread.push_back(Event { number, message });
        change(&mut state);
        self.settle(&mut state);
        state.wake();
        true
    }

    fn end(&self, answer: Answer, refused: bool) {
        let Answer {
            message,
            error,
            mut lost,
        } = answer;
        let sent = self.push(message, |state| {
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
        self.push(frame.into(), |_| {})
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
        self.kept = Kept::NotYet;
        self.wake();
        Reader(self.reading)
    }

    fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    fn give_up(&mut self) {
        self.unread.clear();
        self.read.clear();
        self.unread_bytes = 0;
        self.read_bytes = 0;
        self.kept = Kept::GivenUp;
    }

    fn keep(&mut self, event: Event) {
        self.read_bytes += event.message.len();
        self.read.push_back(event);
        while self.read.len() > KEPT_EVENTS || self.read_bytes > KEPT_BYTES {
            let Some(oldest) = self.read.pop_front() else {
                return;
            };
            self.read_bytes -= oldest.message.len();
        }
    }
}

#[cfg(test)]
mod tests;
