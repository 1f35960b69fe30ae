//! Where the body of a call begins, and where a task is looked up: as a rule on the runtime, and where nothing is lost by
//! that, with whoever took the request in, which spares waking somebody else.

use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::runtime::Handle;

use crate::model::BoxFuture;
use crate::model::concurrency::spawn;
use crate::tool::guard::guarded;

/// Whoever takes messages in, as one who may begin their calls as well.
pub(crate) trait AtOnce: Send + Sync + 'static {
    /// Does work that is expected to take a moment; `false` if this is no time for it. That it may take longer is
    /// no reason to refuse: others must not have to wait for it then.
    fn at_once(&self, work: &mut dyn FnMut()) -> bool;
}

/// Polls a future where it is; what is left of it goes on on the runtime.
pub(super) fn poll_once(
    mut future: BoxFuture<'static, ()>,
    at_once: &dyn AtOnce,
    runtime: &Handle,
) {
    let mut over = false;
    at_once.at_once(&mut || {
        // The runtime polls it again, and nobody else wakes it before that.
        let mut cx = Context::from_waker(Waker::noop());
        let polled = guarded(|| future.as_mut().poll(&mut cx));
        over = !matches!(polled, Ok(Poll::Pending));
    });
    if !over {
        spawn(runtime, future);
    }
}

/// Whether the bodies of a tool come to their end, or to where they wait, within a moment. A body that computes for long
/// belongs on the runtime, where others run beside it.
#[derive(Default)]
pub(super) struct Quick {
    /// What the last ones come to, from 0 to [`MOST`](Self::MOST), or [`NEVER`](Self::NEVER).
    trust: AtomicU32,
}

impl Quick {
    /// A few times of what it takes to wake another thread.
    const MOMENT: Duration = Duration::from_micros(20);
    /// No body that was merely interrupted takes that long.
    const LONG: Duration = Duration::from_millis(10);
    const PROVEN: u32 = 8;
    const MOST: u32 = 16;
    /// What one counts that took more than a moment. On a busy machine quick ones do now and then, as others get their turn.
    const SLOW: u32 = 4;
    /// Stays as it is.
    const NEVER: u32 = u32::MAX;

    pub(super) fn is_proven(&self) -> bool {
        (Self::PROVEN..=Self::MOST).contains(&self.trust.load(Ordering::Relaxed))
    }

    /// A body panicked on its way. That may be because it is in no task of the runtime's where it begins at once: no
    /// further one does.
    pub(super) fn panicked(&self) {
        self.trust.store(Self::NEVER, Ordering::Relaxed);
    }

    /// Another body got that far in this time.
    pub(super) fn took(&self, time: Duration) {
        let trust = self.trust.load(Ordering::Relaxed);
        if trust == Self::NEVER {
            return;
        }
        let now = if time > Self::LONG {
            0
        } else if time > Self::MOMENT {
            trust.saturating_sub(Self::SLOW)
        } else {
            Self::MOST.min(trust + 1)
        };
        // As a rule it is as high as it gets, and nothing is written. What two bodies find at once may count as one.
        if now != trust {
            let order = Ordering::Relaxed;
            let _ = self.trust.compare_exchange(trust, now, order, order);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOW: Duration = Duration::from_micros(21);

    fn proven() -> Quick {
        let quick = Quick::default();
        for _ in 0..Quick::PROVEN {
            assert!(!quick.is_proven());
            quick.took(Quick::MOMENT);
        }
        assert!(quick.is_proven());
        quick
    }

    #[test]
    fn a_tool_is_quick_once_many_bodies_were_and_until_one_is_long() {
        let quick = proven();
        for _ in 0..100 {
            quick.took(Quick::MOMENT);
        }
        quick.took(Quick::LONG + Duration::from_nanos(1));
        assert!(!quick.is_proven());
    }

    #[test]
    fn a_tool_that_panicked_is_quick_no_more_however_quick_it_is() {
        let quick = proven();
        quick.panicked();
        for _ in 0..100 {
            quick.took(Quick::MOMENT);
            assert!(!quick.is_proven());
        }
    }

    #[test]
    fn a_quick_tool_may_be_interrupted_now_and_then_and_no_more() {
        let quick = proven();
        for _ in 0..20 {
            for _ in 0..9 {
                quick.took(Quick::MOMENT);
            }
            quick.took(SLOW);
            assert!(quick.is_proven(), "one in ten");
        }
        for _ in 0..20 {
            quick.took(Quick::MOMENT);
            quick.took(SLOW);
        }
        assert!(!quick.is_proven(), "every other");
    }
}
