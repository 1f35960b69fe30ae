//! The body as the driver holds it: polled and dropped without letting a panic out.

use std::task::{Context, Poll, Waker};

use crate::tool::guard::{Panicked, caught, discard, guarded};
use crate::tool::{BoxFuture, Output};

/// A tool's body; nothing once it has ended, so that it is not polled again.
pub(super) struct Body(Option<BoxFuture<'static, Output>>);

impl Body {
    pub(super) fn new(body: BoxFuture<'static, Output>) -> Self {
        Self(Some(body))
    }

    /// What is left of a body that is dropped.
    pub(super) fn gone() -> Self {
        Self(None)
    }

    pub(super) fn is_gone(&self) -> bool {
        self.0.is_none()
    }

    /// Polls once; `waker` tells when to poll again.
    pub(super) fn poll(&mut self, waker: &Waker) -> Poll<Result<Output, Panicked>> {
        let Some(body) = &mut self.0 else {
            return Poll::Pending;
        };
        let mut cx = Context::from_waker(waker);
        let polled = match guarded(|| body.as_mut().poll(&mut cx)) {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(output)) => Ok(output),
            // What it left half done is not seen: it is never polled again.
            Err(panicked) => Err(panicked),
        };
        self.discard();
        Poll::Ready(polled)
    }

    /// Runs what is left to its end, for a thread that cannot be stopped.
    pub(super) async fn outlast(mut self) {
        if let Some(body) = self.0.take()
            && let Ok(output) = caught(body).await
        {
            discard(output);
        }
    }

    fn discard(&mut self) {
        if let Some(body) = self.0.take() {
            // A destructor of the author's may panic too.
            discard(body);
        }
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        self.discard();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::tool::output::IntoOutput;

    /// Counts its polls, and ends with the first.
    struct Once(Arc<AtomicUsize>);

    impl Future for Once {
        type Output = Output;

        fn poll(self: std::pin::Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Output> {
            self.0.fetch_add(1, Ordering::SeqCst);
            Poll::Ready(().into_output())
        }
    }

    struct PanicsOnDrop;

    impl Drop for PanicsOnDrop {
        fn drop(&mut self) {
            std::panic::resume_unwind(Box::new(()));
        }
    }

    #[tokio::test]
    async fn a_body_that_has_ended_is_not_polled_again() {
        let polls = Arc::default();
        let mut body = Body::new(Box::pin(Once(Arc::clone(&polls))));
        assert!(matches!(body.poll(Waker::noop()), Poll::Ready(Ok(_))));
        assert!(body.poll(Waker::noop()).is_pending());
        body.outlast().await;
        assert_eq!(polls.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn nothing_of_a_panic_comes_out() {
        let mut body = Body::new(Box::pin(async {
            std::panic::resume_unwind(Box::new(PanicsOnDrop));
        }));
        assert!(matches!(
            body.poll(Waker::noop()),
            Poll::Ready(Err(Panicked(None)))
        ));
        let held = PanicsOnDrop;
        drop(Body::new(Box::pin(async move {
            let _held = held;
            std::future::pending().await
        })));
    }
}
