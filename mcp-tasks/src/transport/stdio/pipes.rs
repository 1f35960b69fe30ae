//! The threads that read and write.

use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::thread;

use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::super::connection::{Connection, take_in};
use super::super::lines::Line;
use super::input::Input;
use super::output::Output;
use super::turns::{Reader, Turns};
use crate::context::extensions::Extensions;
use crate::server::Peer;
use crate::server::outbox::Outbox;

/// Both directions of a connection.
pub(super) struct Pipes<R, W> {
    peer: Arc<Peer>,
    outbox: Arc<Outbox>,
    extensions: Extensions,
    turns: Arc<Turns>,
    input: Mutex<Input<R>>,
    output: Output<W>,
    runtime: Handle,
    ended: Mutex<Option<oneshot::Sender<io::Result<()>>>>,
}

/// How a turn came to its end.
enum TurnEnd {
    /// The other thread has it.
    Taken,
    /// There is nothing more to read.
    Input(io::Result<()>),
}

impl<R, W> Pipes<R, W>
where
    R: Read + Send + 'static,
    W: Write + Send + 'static,
{
    pub(super) fn new(connection: &Connection, reader: R, writer: W) -> Arc<Self> {
        let turns = Arc::new(Turns::new());
        connection.peer.begin_at_once(Arc::clone(&turns) as _);
        Arc::new(Self {
            peer: Arc::clone(&connection.peer),
            outbox: Arc::clone(&connection.outbox),
            extensions: Extensions::default(),
            turns,
            input: Mutex::new(Input::new(reader, connection.lines())),
            output: Output::new(writer),
            runtime: Handle::current(),
            ended: Mutex::new(None),
        })
    }

    /// Takes in all lines. What this gives resolves once there are no more.
    pub(super) fn read_in_threads(
        self: &Arc<Self>,
    ) -> io::Result<oneshot::Receiver<io::Result<()>>> {
        let (ended, wait) = oneshot::channel();
        *self.ended.lock().expect(POISON) = Some(ended);
        for (name, reader) in [
            ("mcp-stdin", Reader::First),
            ("mcp-stdin-2", Reader::Second),
        ] {
            let pipes = Arc::clone(self);
            thread::Builder::new()
                .name(name.into())
                .spawn(move || pipes.read(reader))?;
        }
        Ok(wait)
    }

    /// Writes all that comes out, until the outbox is closed and empty.
    pub(super) fn write(&self) -> io::Result<()> {
        self.output.write_all(&self.outbox)
    }

    fn read(&self, reader: Reader) {
        // The author's code may use the runtime.
        let _inside = self.runtime.enter();
        let read = catch_unwind(AssertUnwindSafe(|| {
            loop {
                if !self.turns.is_of(reader) && !self.wait_for(reader) {
                    return None;
                }
                if let TurnEnd::Input(result) = self.turn(reader) {
                    return Some(result);
                }
            }
        }));
        let ended = match read {
            Ok(None) => return,
            Ok(Some(result)) => Some(result),
            Err(_) => None,
        };
        self.turns.end();
        let done = self.ended.lock().expect(POISON).take();
        // Whoever waits learns of a panic by this being dropped.
        if let (Some(result), Some(done)) = (ended, done) {
            let _ = done.send(result);
        }
    }

    fn wait_for(&self, reader: Reader) -> bool {
        // What is answered meanwhile does not wait for a message that takes long to take in.
        self.turns.wait_for(reader, || self.outbox.leave())
    }

    /// Takes in lines for as long as it is this thread's turn.
    fn turn(&self, reader: Reader) -> TurnEnd {
        // The other one may have attended to it when it lost the turn.
        self.outbox.leave();
        let mut line = Vec::new();
        loop {
            while let Some(line) = self.next(&mut line) {
                take_in(&self.peer, &line, &self.extensions);
                if !self.turns.is_of(reader) {
                    return TurnEnd::Taken;
                }
                if self.outbox.is_worth_a_write() {
                    self.write_ready();
                    if !self.turns.is_of(reader) {
                        return TurnEnd::Taken;
                    }
                    self.attend();
                }
            }
            self.write_ready();
            if !self.turns.is_of(reader) {
                return TurnEnd::Taken;
            }
            self.outbox.wait_for_room_blocking();
            match self.read_more(&mut line) {
                Ok(true) => {}
                Ok(false) => return TurnEnd::Input(Ok(())),
                Err(error) => return TurnEnd::Input(Err(error)),
            }
            self.attend();
        }
    }

    /// What is answered until it is written here need wake nobody.
    fn attend(&self) {
        if self.turns.is_watched() {
            self.outbox.attend();
            // Otherwise the last call of `linger` may have been before this.
            if !self.turns.is_watched() {
                self.outbox.leave();
            }
        }
    }

    fn next<'a>(&self, line: &'a mut Vec<u8>) -> Option<Line<'a>> {
        self.input.lock().expect(POISON).next(line)
    }

    /// `false` after the last line.
    fn read_more(&self, line: &mut Vec<u8>) -> io::Result<bool> {
        let last = {
            let mut input = self.input.lock().expect(POISON);
            if input.read()? {
                return Ok(true);
            }
            input.last(line)
        };
        // Without the lock: what it asks for may be done here, and take long.
        if let Some(last) = last {
            take_in(&self.peer, &last, &self.extensions);
        }
        Ok(false)
    }

    /// Writes here what is ready, or leaves it to the thread that writes.
    fn write_ready(&self) {
        if !self.turns.work(|| self.output.write_ready(&self.outbox)) {
            self.outbox.leave();
        }
    }
}

const POISON: &str = "nothing panics while it holds a lock";
