//! What is written, by whoever has the time.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Mutex, TryLockError};

use crate::server::outbox::Outbox;
use crate::wire::Piece;

/// Bytes written at once: much, and not so much that a slow client seems not to read.
const PART: usize = 256 * 1024;

pub(super) struct Output<W> {
    /// Whoever holds it takes what is ready, so that it stays in order.
    writer: Mutex<Writer<W>>,
}

struct Writer<W> {
    inner: W,
    /// Why nothing can be written any more.
    failed: Option<io::Error>,
}

impl<W: Write> Output<W> {
    pub(super) fn new(writer: W) -> Self {
        Self {
            writer: Mutex::new(Writer {
                inner: writer,
                failed: None,
            }),
        }
    }

    /// Writes whatever comes, until the outbox is closed and empty.
    pub(super) fn write_all(&self, outbox: &Outbox) -> io::Result<()> {
        while outbox.wait_blocking() {
            let mut writer = self.writer.lock().expect(POISON);
            while let Some(chunks) = outbox.take_now() {
                writer.write(&chunks, outbox);
            }
        }
        let failed = self.writer.lock().expect(POISON).failed.take();
        failed.map_or(Ok(()), Err)
    }

    /// Writes what is ready, for one who attends to the outbox, unless somebody else writes already.
    pub(super) fn write_ready(&self, outbox: &Outbox) {
        match self.writer.try_lock() {
            Ok(mut writer) => {
                while let Some(chunks) = outbox.take_or_leave() {
                    writer.write(&chunks, outbox);
                }
            }
            Err(TryLockError::WouldBlock) => outbox.leave(),
            Err(TryLockError::Poisoned(_)) => panic!("{POISON}"),
        }
    }
}

impl<W: Write> Writer<W> {
    fn write(&mut self, chunks: &VecDeque<Piece>, outbox: &Outbox) {
        if self.failed.is_some() {
            return;
        }
        if let Err(error) = self.try_write(chunks, outbox) {
            self.failed = Some(error);
            outbox.close();
        }
    }

    fn try_write(&mut self, chunks: &VecDeque<Piece>, outbox: &Outbox) -> io::Result<()> {
        for part in chunks.iter().flat_map(|piece| piece.as_ref().chunks(PART)) {
            self.inner.write_all(part)?;
            outbox.pass();
        }
        self.inner.flush()
    }
}

const POISON: &str = "nothing panics while it holds a lock";
