//! Where a run begins: as a rule on the runtime.

use std::pin::pin;
use std::sync::Arc;

use tokio::runtime::Handle;
use tracing::field::Empty;
use tracing::{Instrument, Span};

use super::super::at_once::{AtOnce, poll_once};
use super::Run;
use super::driver::Driver;
use crate::tool::BoxFuture;
use crate::tool::Output;
use crate::tool::guard::caught;

/// Starts the run's body: on its runtime, or `at_once` if its tool is known to be quick.
///
/// The run's span is for whoever collects this process's: what is known later is recorded in it later. `trace_parent` is
/// the client's own, in W3C form.
pub(in crate::server) fn begin(
    run: Arc<Run>,
    runtime: &Handle,
    body: BoxFuture<'static, Output>,
    at_once: Option<&dyn AtOnce>,
    trace_parent: Option<&str>,
) {
    let span = tracing::debug_span!(
        "call",
        tool = %run.tool.name,
        owner = ?run.owner,
        task = Empty,
        outcome = Empty,
        traceparent = trace_parent,
    );
    let at_once = at_once.filter(|_| run.tool.quick.is_proven());
    let driven = driven(run, body, &span).instrument(span);
    match at_once {
        Some(at_once) => poll_once(Box::pin(driven), at_once, runtime),
        None => drop(runtime.spawn(driven)),
    }
}

/// The run from its first line to its last. Of every task that waits there is one.
pub(super) fn driven(
    run: Arc<Run>,
    body: BoxFuture<'static, Output>,
    span: &Span,
) -> impl Future<Output = ()> + Send + use<> {
    let mut driver = Driver::new(run, body, span);
    async move {
        // It outlives a panic of its own: with it the run would be over before its task has ended.
        if caught(pin!(driver.drive())).await.is_err() {
            driver.run.lost().await;
        }
    }
}
