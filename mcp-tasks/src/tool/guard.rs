//! The author's code, run so that none of its panics gets out.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

/// The author's code panicked, with these words if it had any.
#[derive(Debug)]
pub(crate) struct Panicked(pub(crate) Option<String>);

/// Runs code of the author's. Whatever it has left half done must not be looked at after a panic.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let words = words(&*payload);
        discard(payload);
        Panicked(words)
    })
}

/// Polls a future to its end, or to its panic, after which it is not polled again. It is pinned by the caller.
pub(crate) fn caught<F: Future + Unpin>(future: F) -> Caught<F> {
    Caught(future)
}

/// A type of its own: an async function would have room for the future twice, as its argument and as what it polls.
pub(crate) struct Caught<F>(F);

impl<F: Future + Unpin> Future for Caught<F> {
    type Output = Result<F::Output, Panicked>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match guarded(|| Pin::new(&mut self.0).poll(cx)) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
            Err(panicked) => Poll::Ready(Err(panicked)),
        }
    }
}

fn words(payload: &(dyn Any + Send)) -> Option<String> {
    let literal = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned());
    literal.or_else(|| payload.downcast_ref::<String>().cloned())
}

/// Drops a value of the author's, whose destructor may panic too.
pub(crate) fn discard<T>(value: T) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(value))) {
        // Dropping this one could panic again, and so on without end.
        std::mem::forget(payload);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Bomb;

    impl Drop for Bomb {
        fn drop(&mut self) {
            std::panic::panic_any(Bomb)
        }
    }

    #[test]
    fn a_panic_stays_inside_whatever_it_panics_with() {
        let Err(Panicked(words)) = guarded(|| -> u8 { panic!("text") }) else {
            panic!("it panicked");
        };
        assert_eq!(words.as_deref(), Some("text"));
        assert!(guarded(|| -> u8 { std::panic::panic_any(Bomb) }).is_err());
        discard(Bomb);
        assert_eq!(guarded(|| 7).unwrap(), 7);
    }
}
