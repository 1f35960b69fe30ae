//! Whose turn it is to read.
//!
//! One of two threads reads. It may also do what its input asks for, which spares waking a thread for it, because the
//! other one watches: it takes the turn as soon as that takes too long. Where nobody watches, no such work is done.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use crate::server::at_once::AtOnce;

/// How often the one who watches looks; the input waits no longer than two of these for work at hand.
const GLANCE: Duration = Duration::from_millis(2);
/// Glances without anything seen after which nobody watches any more: at rest, nothing may run.
const PATIENCE: u32 = 50;
/// Work that comes more often than this is worth watching over.
const OFTEN: Duration = Duration::from_millis(1);

/// One of the two threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reader {
    First,
    Second,
}

/// The turn, and who watches over it.
pub(super) struct Turns {
    /// [`Turn`] as a number.
    turn: AtomicU64,
    watched: AtomicBool,
    watch: Mutex<Watch>,
    changed: Condvar,
    /// When there was last work that nobody watched over.
    unwatched: Mutex<Option<Instant>>,
}

#[derive(Default)]
struct Watch {
    wanted: bool,
    /// There is nothing more to read.
    over: bool,
}

/// A turn as it stands: a count of the work that was done in all turns, whose it is, and whether that one works.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Turn(u64);

impl Turn {
    const WORKS: u64 = 1;
    const SECOND: u64 = 2;
    const ONE_MORE: u64 = 4;

    fn reader(self) -> Reader {
        if self.0 & Self::SECOND == 0 {
            Reader::First
        } else {
            Reader::Second
        }
    }

    fn works(self) -> bool {
        self.0 & Self::WORKS != 0
    }

    fn at_work(self) -> Self {
        Self(self.0.wrapping_add(Self::ONE_MORE) | Self::WORKS)
    }

    fn after_work(self) -> Self {
        Self(self.0 & !Self::WORKS)
    }

    fn of_the_other(self) -> Self {
        Self(self.after_work().0 ^ Self::SECOND)
    }
}

impl Turns {
    /// The first turn is the [`First`](Reader::First)'s.
    pub(super) fn new() -> Self {
        Self {
            turn: AtomicU64::new(0),
            watched: AtomicBool::new(false),
            watch: Mutex::default(),
            changed: Condvar::new(),
            unwatched: Mutex::new(None),
        }
    }

    pub(super) fn is_of(&self, reader: Reader) -> bool {
        self.now().reader() == reader
    }

    pub(super) fn is_watched(&self) -> bool {
        self.watched.load(Ordering::SeqCst)
    }

    /// Does work while the other thread watches; `false` if it does not.
    pub(super) fn work(&self, work: impl FnOnce()) -> bool {
        if !self.is_watched() {
            return false;
        }
        let idle = self.now();
        let turn = idle.at_work();
        if !self.change(idle, turn) {
            return false;
        }
        // It looks for work once more after it said that it stops. Or it has taken the turn already, which then stays taken.
        if !self.is_watched() {
            self.change(turn, turn.after_work());
            return false;
        }
        work();
        // Otherwise the turn has been taken, which the caller finds out by `is_of`.
        self.change(turn, turn.after_work());
        true
    }

    /// Waits for `reader`'s turn, watching over that of the other; `false` once there is nothing more to read.
    ///
    /// `linger` is called while the other one does no work at a glance, and once more when nobody watches from then on.
    /// It may wait for input, or be held up by what it reads.
    pub(super) fn wait_for(&self, reader: Reader, linger: impl Fn()) -> bool {
        let mut watch = self.watch.lock().expect(POISON);
        let mut seen = None;
        let mut still = 0;
        while !watch.over {
            if !self.is_watched() {
                if !std::mem::take(&mut watch.wanted) {
                    watch = self.changed.wait(watch).expect(POISON);
                    continue;
                }
                self.watched.store(true, Ordering::SeqCst);
                still = 0;
            }
            watch = self.changed.wait_timeout(watch, GLANCE).expect(POISON).0;
            let turn = self.now();
            if seen.replace(turn) != Some(turn) {
                still = 0;
                continue;
            }
            if turn.works() {
                self.watched.store(false, Ordering::SeqCst);
                if self.change(turn, turn.of_the_other()) {
                    debug_assert!(self.is_of(reader), "nobody watches over itself");
                    return true;
                }
                // Done just now.
                self.watched.store(true, Ordering::SeqCst);
                continue;
            }
            still += 1;
            if still == PATIENCE {
                self.watched.store(false, Ordering::SeqCst);
                if self.now().works() {
                    self.watched.store(true, Ordering::SeqCst);
                }
            }
            linger();
        }
        false
    }

    /// There is nothing more to read.
    pub(super) fn end(&self) {
        self.watch.lock().expect(POISON).over = true;
        self.changed.notify_all();
    }

    /// Asks for somebody to watch, if there is much to watch over.
    fn want_watch(&self) {
        let now = Instant::now();
        let before = self.unwatched.lock().expect(POISON).replace(now);
        if before.is_some_and(|before| now - before < OFTEN) {
            self.watch.lock().expect(POISON).wanted = true;
            self.changed.notify_all();
        }
    }

    fn now(&self) -> Turn {
        Turn(self.turn.load(Ordering::SeqCst))
    }

    fn change(&self, from: Turn, to: Turn) -> bool {
        let order = Ordering::SeqCst;
        self.turn
            .compare_exchange(from.0, to.0, order, order)
            .is_ok()
    }
}

impl AtOnce for Turns {
    fn at_once(&self, work: &mut dyn FnMut()) -> bool {
        let worked = self.work(work);
        if !worked {
            self.want_watch();
        }
        worked
    }
}

const POISON: &str = "nothing panics while it holds a lock";
