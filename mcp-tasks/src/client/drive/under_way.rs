//! Requests of a driver's own, which it does not stand still for.

use crate::model::BoxFuture;

/// A request that is under way, or none. A server may never answer it, while other things happen to the call.
pub(super) struct UnderWay<T>(Option<BoxFuture<'static, T>>);

impl<T> UnderWay<T> {
    pub(super) fn none() -> Self {
        Self(None)
    }

    pub(super) fn begin(&mut self, request: impl Future<Output = T> + Send + 'static) {
        self.0 = Some(Box::pin(request));
    }

    pub(super) fn is_none(&self) -> bool {
        self.0.is_none()
    }

    /// What comes of it; never where none is under way. May be given up and called again.
    pub(super) async fn outcome(&mut self) -> T {
        let Some(request) = &mut self.0 else {
            return std::future::pending().await;
        };
        let outcome = request.await;
        self.0 = None;
        outcome
    }
}
