//! From a decoded call to a boxed body.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::{Semaphore, oneshot};

use super::BoxFuture;
use super::error::ToolError;
use super::output::Output;
use crate::context::Context;
#[cfg(feature = "testing")]
use crate::context::standstill::Standstill;

/// Boxes a body and converts what it returns.
#[doc(hidden)]
pub fn run<F>(body: F, convert: fn(F::Output) -> Output) -> BoxFuture<'static, Output>
where
    F: Future + Send + 'static,
{
    Box::pin(async move { convert(body.await) })
}

/// Runs a blocking body on a thread of its own. A body whose future is dropped runs on; its result
/// is discarded.
#[doc(hidden)]
pub fn run_blocking<T>(
    call: &super::Call<'_>,
    body: impl FnOnce() -> T + Send + 'static,
    convert: fn(T) -> Output,
) -> BoxFuture<'static, Output>
where
    T: 'static,
{
    on_thread(
        call.context().blocking_permits().clone(),
        call.context().clone(),
        Box::new(move || convert(body())),
    )
}

/// A thread of its own rather than one of tokio's pool: the runtime joins those when it shuts down,
/// and a body that never looks up would then keep the process from exiting.
fn on_thread(
    permits: Arc<Semaphore>,
    context: Context,
    body: Box<dyn FnOnce() -> Output + Send>,
) -> BoxFuture<'static, Output> {
    Box::pin(async move {
        let permit = tokio::select! {
            biased;
            () = context.token().cancelled() => None,
            permit = permits.acquire_owned() => permit.ok(),
        };
        // What was told to stop before it had a thread never starts.
        let Some(permit) = permit else {
            return Output(Err(context.check().err().map_or_else(
                || ToolError::new("the server is shutting down"),
                ToolError::from,
            )));
        };
        let (send, outcome) = oneshot::channel();
        let (span, runtime) = (tracing::Span::current(), Handle::try_current().ok());
        #[cfg(feature = "testing")]
        let (_standstill, body) = Standstill::around(Handle::current(), body);
        let thread = std::thread::Builder::new()
            .name("mcp-blocking".to_owned())
            .spawn(move || {
                // The body's questions wait on the runtime that started it.
                let _entered = runtime.as_ref().map(Handle::enter);
                let ended = catch_unwind(AssertUnwindSafe(|| span.in_scope(body)));
                // Nobody may be waiting any more; then the result has nowhere to go.
                let _ = send.send(ended);
                drop(permit);
            });
        if let Err(error) = thread {
            return Output(Err(format!("no thread for the tool: {error}").into()));
        }
        match outcome.await {
            Ok(Ok(output)) => output,
            Ok(Err(panic)) => resume_unwind(panic),
            Err(_) => Output(Err("the tool's thread ended without a result".into())),
        }
    })
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;
    use crate::context::Stop;
    use crate::model::cancel::CancelReason;
    use crate::tool::output::IntoOutput;
    use crate::tool::tests::Given;

    fn text(output: Output) -> String {
        output.0.unwrap().content.get().to_owned()
    }

    fn start<T: IntoOutput>(
        permits: &Arc<Semaphore>,
        body: impl FnOnce() -> T + Send + 'static,
    ) -> BoxFuture<'static, Output> {
        let context = Given {
            permits: Some(permits.clone()),
            ..Given::default()
        }
        .context();
        let call = super::super::Call::new(&context, None).unwrap();
        run_blocking(&call, body, T::into_output)
    }

    #[tokio::test]
    async fn an_async_body_runs_when_it_is_polled() {
        let body = run(async { 7 }, i32::into_output);
        assert_eq!(text(body.await), r#"[{"type":"text","text":"7"}]"#);
    }

    #[tokio::test]
    async fn a_blocking_body_runs_on_a_thread_of_its_own_inside_the_runtime() {
        let here = std::thread::current().id();
        let permits = Arc::new(Semaphore::new(1));
        let body = start(&permits, move || {
            assert_ne!(std::thread::current().id(), here);
            Handle::current().block_on(async { "done" })
        });
        assert_eq!(text(body.await), r#"[{"type":"text","text":"done"}]"#);
    }

    #[tokio::test]
    async fn a_result_need_not_be_send() {
        let call_context = Given::default().context();
        let call = super::super::Call::new(&call_context, None).unwrap();
        let body = run_blocking(&call, || std::rc::Rc::new(5), |rc| (*rc).into_output());
        assert_eq!(text(body.await), r#"[{"type":"text","text":"5"}]"#);
    }

    #[tokio::test]
    async fn a_panic_in_the_thread_is_a_panic_of_the_future() {
        let permits = Arc::new(Semaphore::new(1));
        let body = start(&permits, || -> () { std::panic::panic_any(42_u8) });
        let panic = tokio::spawn(body).await.unwrap_err().into_panic();
        assert_eq!(panic.downcast_ref(), Some(&42_u8));
        let _free = permits.acquire().await.unwrap();
    }

    #[tokio::test]
    async fn a_dropped_body_keeps_its_permit_until_its_thread_ends() {
        let permits = Arc::new(Semaphore::new(1));
        let (go, wait) = mpsc::channel::<()>();
        let (started, has_started) = oneshot::channel();
        let first = tokio::spawn(start(&permits, move || {
            started.send(()).unwrap();
            wait.recv().unwrap();
        }));
        has_started.await.unwrap();
        first.abort();
        assert!(first.await.unwrap_err().is_cancelled());
        assert_eq!(permits.available_permits(), 0);

        let mut second = start(&permits, || "second");
        let too_early = tokio::time::timeout(Duration::from_millis(20), &mut second).await;
        assert!(too_early.is_err(), "ran beside the first");
        go.send(()).unwrap();
        assert_eq!(text(second.await), r#"[{"type":"text","text":"second"}]"#);
    }

    #[tokio::test]
    async fn a_body_that_is_told_to_stop_before_it_has_a_thread_never_runs() {
        let permits = Arc::new(Semaphore::new(1));
        let held = permits.clone().acquire_owned().await.unwrap();
        let stop = Arc::new(Stop::default());
        let context = Given {
            permits: Some(permits.clone()),
            stop: stop.clone(),
            ..Given::default()
        }
        .context();
        let call = super::super::Call::new(&context, None).unwrap();
        let (ran, has_run) = mpsc::channel();
        let body = run_blocking(&call, move || ran.send(()).unwrap(), |()| unreachable!());
        stop.fire(CancelReason::Requested);
        drop(held);
        assert!(body.await.0.is_err());
        assert_eq!(has_run.recv(), Err(mpsc::RecvError));
        assert_eq!(permits.available_permits(), 1);
    }

    #[tokio::test]
    async fn a_body_that_never_got_a_permit_never_runs() {
        let permits = Arc::new(Semaphore::new(1));
        let held = permits.clone().acquire_owned().await.unwrap();
        let (ran, has_run) = mpsc::channel();
        let body = start(&permits, move || ran.send(()).unwrap());
        assert!(
            tokio::time::timeout(Duration::from_millis(5), body)
                .await
                .is_err()
        );
        drop(held);
        assert_eq!(has_run.recv(), Err(mpsc::RecvError));
    }
}
