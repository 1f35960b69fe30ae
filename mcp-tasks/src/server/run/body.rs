//! The body as the driver holds it: polled and dropped without letting a panic out.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::{Context, Poll};

use crate::tool::{BoxFuture, Output};

/// A panic came out of the body, with these words if it had any.
pub(super) struct Panicked(pub(super) Option<String>);

/// A tool's body; nothing once it has ended, so that it is not polled again.
pub(super) struct Body(Option<BoxFuture<'static, Output>>);

impl Body {
    pub(super) fn new(body: BoxFuture<'static, Output>) -> Self {
        Self(Some(body))
    }

    /// What is left where a body was.
    pub(super) fn gone() -> Self {
        Self(None)
    }

    pub(super) fn is_gone(&self) -> bool {
        self.0.is_none()
    }

    /// Polls once.
    pub(super) async fn poll_once(&mut self) -> Poll<Result<Output, Panicked>> {
        poll_fn(|cx| Poll::Ready(self.poll(cx))).await
    }

    /// Runs what is left to its end, for a thread that cannot be stopped.
    pub(super) async fn outlast(mut self) {
        poll_fn(|cx| {
            if self.is_gone() {
                return Poll::Ready(());
            }
            self.poll(cx).map(drop)
        })
        .await;
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Result<Output, Panicked>> {
        let Some(body) = &mut self.0 else {
            return Poll::Pending;
        };
        let polled = match contained(|| body.as_mut().poll(cx)) {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(output)) => Ok(output),
            // What it left half done is not seen: it is never polled again.
            Err(panicked) => Err(panicked),
        };
        self.discard();
        Poll::Ready(polled)
    }

    fn discard(&mut self) {
        if let Some(body) = self.0.take() {
            // A destructor of the author's may panic too.
            let _ = contained(|| drop(body));
        }
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        self.discard();
    }
}

/// Runs code of the author's.
fn contained<T>(code: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(code)).map_err(|payload| {
        let text = words(&*payload);
        // Even the payload may panic when it is dropped; the payload of that is left alone.
        if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            std::mem::forget(again);
        }
        Panicked(text)
    })
}

fn words(payload: &(dyn Any + Send)) -> Option<String> {
    let literal = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned());
    literal.or_else(|| payload.downcast_ref::<String>().cloned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::output::IntoOutput;

    /// Counts its polls, and ends with the first.
    struct Once(std::sync::Arc<std::sync::atomic::AtomicUsize>);

    impl Future for Once {
        type Output = Output;

        fn poll(self: std::pin::Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Output> {
            self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
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
        let polls = std::sync::Arc::default();
        let mut body = Body::new(Box::pin(Once(std::sync::Arc::clone(&polls))));
        assert!(matches!(body.poll_once().await, Poll::Ready(Ok(_))));
        assert!(body.poll_once().await.is_pending());
        body.outlast().await;
        assert_eq!(polls.load(std::sync::atomic::Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn nothing_of_a_panic_comes_out() {
        let mut body = Body::new(Box::pin(async {
            std::panic::resume_unwind(Box::new(PanicsOnDrop));
        }));
        assert!(matches!(
            body.poll_once().await,
            Poll::Ready(Err(Panicked(None)))
        ));
        let held = PanicsOnDrop;
        let body = Body::new(Box::pin(async move {
            let _held = held;
            std::future::pending().await
        }));
        drop(body);
    }

    #[tokio::test]
    async fn the_words_of_a_panic_are_kept() {
        let mut body = Body::new(Box::pin(async {
            std::panic::resume_unwind(Box::new("broken".to_owned()));
        }));
        let Poll::Ready(Err(Panicked(text))) = body.poll_once().await else {
            panic!("it panics");
        };
        assert_eq!(text.as_deref(), Some("broken"));
    }
}
