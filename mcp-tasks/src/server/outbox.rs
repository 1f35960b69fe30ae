//! The queue of messages between whoever speaks and the one writer of a connection.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::model::concurrency::lock;
use crate::wire::{Message, Piece};

/// Messages on their way out, small ones joined into chunks so that one write takes all that is ready.
#[derive(Default)]
pub(crate) struct Outbox {
    queue: Mutex<Queue>,
    /// Wakes a writer thread.
    filled: Condvar,
    /// Wakes a writer task.
    filled_async: Notify,
    /// Wakes a reader thread that waits for room.
    room: Condvar,
    /// Wakes whatever tasks wait for room.
    room_async: Notify,
    passed: AtomicU64,
}

#[derive(Default)]
struct Queue {
    chunks: VecDeque<Piece>,
    bytes: usize,
    closed: bool,
    /// Somebody will take what is there without being woken.
    attended: bool,
    waiting: Waiting,
}

/// The threads that wait to be woken: waking nobody costs a system call too.
#[derive(Default)]
struct Waiting {
    /// For the next frame.
    writer: bool,
    /// For room.
    reader: bool,
}

impl Queue {
    fn is_full(&self) -> bool {
        self.bytes > Outbox::FULL && !self.closed
    }

    fn take(&mut self) -> Option<VecDeque<Piece>> {
        self.bytes = 0;
        (!self.chunks.is_empty()).then(|| std::mem::take(&mut self.chunks))
    }
}

impl Outbox {
    /// With more than this unwritten, no further input is read: a client that writes without reading waits.
    const FULL: usize = 16 * 1024 * 1024;

    /// Adds one line; `false` after [`close`](Self::close).
    pub(super) fn push(&self, mut message: Message) -> bool {
        message.end_line();
        let mut queue = lock(&self.queue);
        if queue.closed {
            return false;
        }
        queue.bytes += message.len();
        for piece in message.into_pieces() {
            match (queue.chunks.back_mut(), piece) {
                (Some(Piece::Own(last)), Piece::Own(bytes))
                    if last.len() + bytes.len() <= Message::LARGE =>
                {
                    // Where a second one comes, more do.
                    last.reserve_exact(Message::LARGE - last.len());
                    last.extend_from_slice(&bytes);
                }
                (_, piece) => queue.chunks.push_back(piece),
            }
        }
        if !queue.attended {
            self.tell_of_frames(queue);
        }
        true
    }

    /// The writer got rid of another part.
    pub(crate) fn pass(&self) {
        self.passed.fetch_add(1, Ordering::Relaxed);
    }

    /// How many parts the writer has got rid of: while that grows, the client reads.
    pub(crate) fn passed(&self) -> u64 {
        self.passed.load(Ordering::Relaxed)
    }

    /// Whether so much is unwritten that the client does not keep up.
    pub(crate) fn is_full(&self) -> bool {
        lock(&self.queue).is_full()
    }

    /// No more frames; the writer ends once it has written what is there.
    pub(crate) fn close(&self) {
        let mut queue = lock(&self.queue);
        queue.closed = true;
        queue.waiting.reader = false;
        drop(queue);
        self.filled.notify_all();
        self.filled_async.notify_one();
        self.room.notify_all();
        self.room_async.notify_waiters();
    }

    pub(super) fn is_closed(&self) -> bool {
        lock(&self.queue).closed
    }

    /// Waits until something is ready; `false` once closed and empty.
    pub(crate) fn wait_blocking(&self) -> bool {
        let mut queue = lock(&self.queue);
        while queue.chunks.is_empty() && !queue.closed {
            queue.waiting.writer = true;
            queue = self
                .filled
                .wait(queue)
                .unwrap_or_else(PoisonError::into_inner);
        }
        queue.waiting.writer = false;
        !queue.chunks.is_empty()
    }

    /// All that is ready now.
    pub(crate) fn take_now(&self) -> Option<VecDeque<Piece>> {
        let mut queue = lock(&self.queue);
        let taken = queue.take();
        self.tell_of_room(queue);
        taken
    }

    /// From now on the caller takes what is pushed: nobody else is woken for it.
    pub(crate) fn attend(&self) {
        lock(&self.queue).attended = true;
    }

    /// Whether so much is ready that it should leave.
    pub(crate) fn is_worth_a_write(&self) -> bool {
        lock(&self.queue).bytes >= Message::LARGE
    }

    /// All that is ready, for one who attends to it; where nothing is, it is left to whoever waits.
    pub(crate) fn take_or_leave(&self) -> Option<VecDeque<Piece>> {
        let mut queue = lock(&self.queue);
        let taken = queue.take();
        if taken.is_none() {
            queue.attended = false;
        }
        self.tell_of_room(queue);
        taken
    }

    /// What is ready is left to whoever waits for it.
    pub(crate) fn leave(&self) {
        let mut queue = lock(&self.queue);
        if std::mem::take(&mut queue.attended) && !queue.chunks.is_empty() {
            self.tell_of_frames(queue);
        }
    }

    /// All that is ready, waiting for something; `None` once closed and empty.
    pub(crate) async fn take(&self) -> Option<VecDeque<Piece>> {
        loop {
            {
                let mut queue = lock(&self.queue);
                let taken = queue.take();
                if taken.is_some() || queue.closed {
                    self.tell_of_room(queue);
                    return taken;
                }
            }
            self.filled_async.notified().await;
        }
    }

    /// Blocks while too much is unwritten.
    pub(crate) fn wait_for_room_blocking(&self) {
        let mut queue = lock(&self.queue);
        while queue.is_full() {
            queue.waiting.reader = true;
            queue = self
                .room
                .wait(queue)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The same for a task.
    pub(crate) async fn wait_for_room(&self) {
        loop {
            let room = self.room_async.notified();
            tokio::pin!(room);
            room.as_mut().enable();
            if !self.is_full() {
                return;
            }
            room.await;
        }
    }

    fn tell_of_frames(&self, mut queue: MutexGuard<'_, Queue>) {
        let writer_waits = std::mem::take(&mut queue.waiting.writer);
        drop(queue);
        if writer_waits {
            self.filled.notify_one();
        }
        self.filled_async.notify_one();
    }

    fn tell_of_room(&self, mut queue: MutexGuard<'_, Queue>) {
        let reader_waits = std::mem::take(&mut queue.waiting.reader);
        drop(queue);
        if reader_waits {
            self.room.notify_all();
        }
        self.room_async.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn frames_leave_in_order_and_joined() {
        let outbox = Outbox::default();
        outbox.push(b"one".to_vec().into());
        outbox.push(b"two".to_vec().into());
        outbox.push(vec![b'x'; Message::LARGE].into());
        let chunks = outbox.take().await.expect("frames are there");
        assert_eq!(chunks.len(), 2);
        assert_eq!(chunks[0].as_ref(), b"one\ntwo\n");
    }

    #[tokio::test]
    async fn a_closed_outbox_gives_what_it_has_and_then_ends() {
        let outbox = Outbox::default();
        outbox.push(b"last".to_vec().into());
        outbox.close();
        outbox.push(b"too late".to_vec().into());
        assert_eq!(outbox.take().await.map(|chunks| chunks.len()), Some(1));
        assert!(outbox.take().await.is_none());
        assert!(!outbox.wait_blocking());
    }

    #[tokio::test]
    async fn a_reader_waits_while_too_much_is_unwritten() {
        let outbox = Outbox::default();
        outbox.push(vec![b'x'; Outbox::FULL].into());
        let room = outbox.wait_for_room();
        tokio::pin!(room);
        tokio::select! {
            biased;
            () = room.as_mut() => panic!("there is no room"),
            () = std::future::ready(()) => {}
        }
        outbox.take().await;
        room.await;
    }
}
