//! The body as the driver holds it: polled and dropped without letting a panic out.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Poll;

use crate::tool::{BoxFuture, Output};

/// A panic came out of the body.
pub(super) struct Panicked;

/// A tool's body.
pub(super) struct Body(Option<BoxFuture<'static, Output>>);

impl Body {
    pub(super) fn new(body: BoxFuture<'static, Output>) -> Self {
        Self(Some(body))
    }

    /// What is left of a body that is dropped.
    pub(super) fn gone() -> Self {
        Self(None)
    }

    /// Polls once.
    pub(super) async fn poll_once(&mut self) -> Poll<Result<Output, Panicked>> {
        poll_fn(|cx| {
            let Some(body) = &mut self.0 else {
                return Poll::Ready(Poll::Pending);
            };
            // The body is never polled again after a panic, so that what it left half done is not seen.
            let polled = catch_unwind(AssertUnwindSafe(|| body.as_mut().poll(cx)));
            Poll::Ready(match polled {
                Ok(polled) => polled.map(Ok),
                Err(_) => Poll::Ready(Err(Panicked)),
            })
        })
        .await
    }

    /// Runs what is left to its end, for a thread that cannot be stopped.
    pub(super) async fn outlast(mut self) {
        if let Some(body) = self.0.take() {
            let mut body = AssertUnwindSafe(body);
            poll_fn(
                |cx| match catch_unwind(AssertUnwindSafe(|| body.0.as_mut().poll(cx))) {
                    Ok(Poll::Pending) => Poll::Pending,
                    Ok(Poll::Ready(_)) | Err(_) => Poll::Ready(()),
                },
            )
            .await;
        }
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        if let Some(body) = self.0.take() {
            // A destructor of the author's may panic too.
            let _ = catch_unwind(AssertUnwindSafe(|| drop(body)));
        }
    }
}
