//! Keeps tokio's paused time where it is while a blocking tool's thread works. For tests: built with `testing` alone.
//!
//! A paused clock jumps to its next timer whenever the runtime is idle, and the runtime does not see a thread
//! that is not its own: every timeout of a test would fire while the tool has barely begun. For its own threads
//! tokio has a remedy, "When a blocking task is running, the clock's auto-advance is temporarily inhibited"
//! (`tokio::time::pause`), so one of those waits beside each of ours.

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{self, Wake, Waker};
use std::time::Duration;

use tokio::runtime::Handle;

/// The longest one hold lasts, in real time: a body that itself waits for the clock would wait for ever.
const LONGEST: Duration = Duration::from_secs(5);

/// Holds the clock until it is dropped.
pub(crate) struct Standstill {
    _held: Arc<Held>,
}

struct Held {
    runtime: Handle,
    companion: Mutex<Option<Companion>>,
}

/// A thread of tokio's that ends when this is dropped.
type Companion = Sender<()>;

thread_local! {
    static OF_THIS_THREAD: RefCell<Weak<Held>> = const { RefCell::new(Weak::new()) };
}

impl Standstill {
    /// Holds the clock of `runtime` for the thread on which the returned body will run.
    pub(crate) fn around<T>(
        runtime: Handle,
        body: impl FnOnce() -> T + Send,
    ) -> (Self, impl FnOnce() -> T + Send) {
        let companion = Mutex::new(Some(companion(&runtime)));
        let held = Arc::new(Held { runtime, companion });
        let of_thread = Arc::downgrade(&held);
        let body = move || {
            OF_THIS_THREAD.set(of_thread);
            body()
        };
        (Self { _held: held }, body)
    }
}

/// Waits, on a thread that does no work meanwhile: from each poll to the wake that follows, the clock is not held
/// on this thread's account.
pub(crate) async fn waiting<F: Future>(future: F) -> F::Output {
    let Some(held) = OF_THIS_THREAD.with_borrow(Weak::upgrade) else {
        return future.await;
    };
    let mut future = pin!(future);
    poll_fn(|cx| {
        let waking = Arc::new(Waking {
            held: Arc::clone(&held),
            woken: Mutex::new(false),
            waker: cx.waker().clone(),
        });
        let waker = Waker::from(Arc::clone(&waking));
        let polled = future.as_mut().poll(&mut task::Context::from_waker(&waker));
        let woken = lock(&waking.woken);
        if polled.is_pending() && !*woken {
            *lock(&held.companion) = None;
        }
        polled
    })
    .await
}

/// Whoever wakes the thread holds the clock for it, before the runtime can be idle again.
struct Waking {
    held: Arc<Held>,
    woken: Mutex<bool>,
    waker: Waker,
}

impl Wake for Waking {
    fn wake(self: Arc<Self>) {
        let mut woken = lock(&self.woken);
        if !std::mem::replace(&mut *woken, true) {
            *lock(&self.held.companion) = Some(companion(&self.held.runtime));
        }
        self.waker.wake_by_ref();
    }
}

fn companion(runtime: &Handle) -> Companion {
    let (sender, receiver) = channel::<()>();
    // Nothing is sent: it ends with the sender, or when it has lasted too long.
    runtime.spawn_blocking(move || receiver.recv_timeout(LONGEST));
    sender
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
