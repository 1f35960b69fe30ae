//! How a run ended, and what its request or task is told of it.

use std::sync::Arc;
use std::time::Duration;

use serde_json::value::to_raw_value;
use tokio::time::{Instant, timeout};

use super::super::core::Core;
use super::super::reply::Reply;
use super::super::tasks;
use super::driver::Driver;
use super::{Era, Line, Mode, Run, UNEXPECTED};
use crate::model::BoxFuture;
use crate::model::cancel::CancelReason;
use crate::model::concurrency::lock;
use crate::model::error::{AskError, RpcError};
use crate::model::result::CallOutput;
use crate::model::task::Outcome;
use crate::task::record::Event;
use crate::tool::Output;
use crate::tool::error::{Failure, ToolError};
use crate::tool::guard::{Panicked, discard};
use crate::wire::envelope::RequestId;
use crate::wire::meta::missing_capability;
use crate::wire::{Message, legacy, modern};

/// How long a response that a task owes beside its record waits for the store: longer than one that fails is given to
/// recover, and no longer than a client is likely to.
const OWED: Duration = Duration::from_secs(10);

/// How the body came to an end.
pub(super) enum Ending {
    Returned(Output),
    Panicked(Panicked),
    /// It was told to stop, and dropped.
    Stopped,
    /// It never started: the store did not take the start.
    Unrecorded,
}

/// What there is to tell.
pub(super) enum Told {
    Outcome(Outcome),
    /// Nothing of the body's own: it stopped for this reason.
    Stopped(CancelReason),
}

/// A text for the model in place of a result.
pub(in crate::server) fn error_frame(line: &Line, id: &RequestId, text: &str) -> Message {
    result_frame(line, id, &Arc::new(error_output(text)))
}

/// A tool's error as its client should get it: a text for the model, or a JSON-RPC error.
pub(in crate::server) fn in_words(
    error: ToolError,
    era: Era,
    core: &Core,
    tool: &str,
) -> Result<String, RpcError> {
    match (
        error.failure(core.limits.error_bytes, core.mask_errors),
        era,
    ) {
        (Failure::Tool { text }, _) => Ok(text),
        (Failure::Masked { text, chain }, _) => Ok(masked(tool, text, &chain)),
        (Failure::Protocol(error), _) => Err(error),
        (Failure::Missing(capability), Era::Modern { .. }) => Err(missing_capability(capability)),
        (Failure::Missing(capability), Era::Legacy(_)) => {
            Ok(AskError::Unsupported(capability).to_string())
        }
    }
}

/// What the client reads in place of an error that is none of its business; the log has the rest.
fn masked(tool: &str, text: Option<String>, chain: &str) -> String {
    let mut reference = crate::model::id::random();
    // Enough to find the line again; nobody has to guess it.
    reference.truncate(8);
    tracing::error!(tool, reference, error = chain, "the tool failed");
    text.unwrap_or_else(|| {
        format!("the tool failed; the server's log says why, under reference {reference}")
    })
}

/// Answers with an outcome.
pub(in crate::server) fn tell(reply: Reply, line: &Line, outcome: &Outcome) {
    match outcome {
        Outcome::Result(output) => {
            let frame = result_frame(line, reply.id(), output);
            reply.send(frame);
        }
        // The specification names its status, whoever finds out that the capability is missing.
        Outcome::Error(error) if error.code == RpcError::MISSING_CAPABILITY => reply.error(error),
        Outcome::Error(error) => {
            let frame = modern::error(Some(reply.id()), error);
            reply.send(frame);
        }
    }
}

fn result_frame(line: &Line, id: &RequestId, output: &Arc<CallOutput>) -> Message {
    match line.era {
        Era::Modern { .. } => modern::call_result(id, output, line.peer.core.info()),
        Era::Legacy(revision) => legacy::call_result(id, output, revision, line.related()),
    }
}

fn error_output(text: &str) -> CallOutput {
    let content = to_raw_value(&[serde_json::json!({"type": "text", "text": text})]);
    CallOutput {
        content: content.expect("a string is JSON"),
        structured: None,
        meta: None,
        is_error: true,
    }
}

impl Told {
    fn name(&self) -> &'static str {
        match self {
            Self::Outcome(Outcome::Result(output)) if output.is_error => "error result",
            Self::Outcome(Outcome::Result(_)) => "completed",
            Self::Stopped(CancelReason::Requested | CancelReason::Disconnected) => "cancelled",
            Self::Outcome(Outcome::Error(_)) | Self::Stopped(_) => "failed",
        }
    }
}

fn store_failed() -> Outcome {
    Outcome::Error(Arc::new(RpcError::internal(tasks::STORE_FAILED)))
}

impl Driver {
    /// Tells the request or the task how the run ended.
    pub(super) async fn finish(&mut self, told: Told) {
        self.record("outcome", told.name());
        // The body goes first: its destructors may still withdraw questions.
        self.let_go();
        self.last_words().await;
        if let Told::Outcome(_) = told
            && self.run.parked_until().is_some()
        {
            Box::pin(self.until_taken_up()).await;
        }
        let run = Arc::clone(&self.run);
        if self.is_task {
            let mut recorded = self.end_task(&told);
            if Box::pin(timeout(OWED, recorded.as_mut())).await.is_err() {
                run.end_request(&told);
                recorded.await;
            }
        }
        // Of a task too, where its request still waits for the ordinary response.
        run.end_request(&told);
    }

    pub(super) fn told(&self, ending: Ending) -> Told {
        let reason = self.run.stop.reason();
        let limits = &self.run.core.limits;
        match (ending, reason) {
            (Ending::Returned(Output(Ok(output))), _) if self.breaks_promise(&output) => {
                tracing::error!(tool = %self.run.tool.name, "{UNSTRUCTURED}");
                Told::Outcome(Outcome::Result(Arc::new(error_output(UNSTRUCTURED))))
            }
            (Ending::Returned(Output(Ok(output))), _) if output.size() > limits.result_bytes => {
                let text = format!(
                    "the tool's result is larger than {} bytes",
                    limits.result_bytes
                );
                Told::Outcome(Outcome::Error(Arc::new(RpcError::internal(text))))
            }
            // A real result, even if the run was told to stop.
            (Ending::Returned(Output(Ok(output))), _) => {
                let is_kept = self.is_task;
                let output = if is_kept { output.trimmed() } else { output };
                Told::Outcome(Outcome::Result(Arc::new(output)))
            }
            (Ending::Returned(Output(Err(error))), Some(reason)) => {
                discard(error);
                Told::Stopped(reason)
            }
            (Ending::Stopped, Some(reason)) => Told::Stopped(reason),
            (Ending::Returned(Output(Err(error))), None) => {
                let era = lock(&self.run.state).era;
                let words = in_words(error, era, &self.run.core, &self.run.tool.name);
                Told::Outcome(match words {
                    Ok(text) => Outcome::Result(Arc::new(error_output(&text))),
                    Err(error) => Outcome::Error(Arc::new(error)),
                })
            }
            (Ending::Panicked(Panicked(words)), _) => {
                tracing::error!(tool = %self.run.tool.name, panic = words, "the tool panicked");
                Told::Outcome(Outcome::Error(Arc::new(RpcError::internal(UNEXPECTED))))
            }
            (Ending::Unrecorded, _) => Told::Outcome(store_failed()),
            (Ending::Stopped, None) => unreachable!("a run stops for a reason"),
        }
    }

    /// 2025-11-25 tools, "Output Schema": a tool that has one MUST give structured results. Clients throw away
    /// the whole result of one that does not.
    fn breaks_promise(&self, output: &CallOutput) -> bool {
        let structured = output.structured.as_ref();
        self.run.tool.def.output_schema.is_some()
            && !output.is_error
            && !structured.is_some_and(|raw| raw.get().starts_with('{'))
    }

    /// Progress and messages that waited for their turn leave before the end: nothing may follow it.
    async fn last_words(&mut self) {
        let message = {
            let mut state = lock(&self.run.state);
            if self.run.stop.reason().is_none()
                && let Some(progress) = state.progress.take()
            {
                state.mode.send_progress(&progress);
            }
            state.message.take(Instant::now())
        };
        if let Some(message) = message
            && self.is_task
        {
            self.submit(Event::Message(message.into())).await;
        }
    }

    /// A parked call that went on by itself, when a question timed out say, keeps what came of it for its
    /// client to come back for.
    async fn until_taken_up(&mut self) {
        let run = Arc::clone(&self.run);
        while let Some(until) = run.parked_until()
            && run.stop.reason().is_none()
        {
            tokio::select! {
                () = run.attention.notified() => {}
                () = tokio::time::sleep_until(until) => return,
            }
        }
    }

    /// In a box of its own, so that calls that are no tasks do not carry its size.
    pub(super) fn end_record<'a>(&'a mut self, told: &'a Told) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            let cancelling = lock(&self.run.state).cancelling.take();
            if let Some(cancelling) = cancelling {
                // After the end of the run nothing of it may reach a task: the next of its id would get it.
                let _ = cancelling.await;
            }
            let event = match *told {
                Told::Outcome(ref outcome) => Some(Event::End(outcome.clone())),
                Told::Stopped(reason @ (CancelReason::Requested | CancelReason::Disconnected)) => {
                    Some(Event::EndCancelled(reason.to_string().into()))
                }
                // The record is gone.
                Told::Stopped(CancelReason::Expired) => None,
                Told::Stopped(reason) => {
                    let error = RpcError::internal(self.run.stopped_text(reason));
                    Some(Event::End(Outcome::Error(Arc::new(error))))
                }
            };
            if let Some(event) = event
                // Rejected where a cancellation was first: its outcome stands.
                && self.insist(event).await.is_err()
            {
                // Perhaps it is this outcome that the store does not take.
                let _ = self.insist(Event::End(store_failed())).await;
            }
        })
    }
}

/// What the model is told of a result that its client would refuse.
const UNSTRUCTURED: &str =
    "the tool's output schema promises structured content, and its result has none";

impl Run {
    /// Until when it waits for its client to come back, if it does.
    fn parked_until(&self) -> Option<Instant> {
        match lock(&self.state).mode {
            Mode::Parked { until, .. } => Some(until),
            _ => None,
        }
    }

    fn end_request(&self, told: &Told) {
        // Locked until the response has left: a cancellation is in time or finds nothing to cancel.
        let mut state = lock(&self.state);
        let Some((reply, line)) = state.detached_if(|_| true) else {
            return;
        };
        let frame = match *told {
            Told::Outcome(Outcome::Error(ref error)) if error.message == UNEXPECTED => {
                error_frame(&line, reply.id(), UNEXPECTED)
            }
            Told::Outcome(ref outcome) => return tell(reply, &line, outcome),
            Told::Stopped(reason @ CancelReason::TimedOut) => {
                error_frame(&line, reply.id(), &self.stopped_text(reason))
            }
            Told::Stopped(
                reason @ (CancelReason::Shutdown | CancelReason::Abandoned | CancelReason::Expired),
            ) => modern::error(Some(reply.id()), &RpcError::internal(reason.to_string())).into(),
            // No response is sent for a request that was cancelled.
            Told::Stopped(_) => return,
        };
        reply.send(frame);
    }

    fn stopped_text(&self, reason: CancelReason) -> String {
        match reason {
            CancelReason::TimedOut => {
                format!(
                    "timed out after {}",
                    humantime::format_duration(self.tool.policy.run_budget)
                )
            }
            reason => reason.to_string(),
        }
    }

    /// The driver itself panicked, by way of a store say: its task is ended in its place.
    pub(super) async fn lost(&self) {
        tracing::error!(tool = %self.tool.name, "the run of a tool was lost to a panic");
        let id = match &lock(&self.state).mode {
            Mode::Task { id, .. } => Some(id.clone()),
            _ => None,
        };
        if let Some(id) = id {
            let end = Event::End(Outcome::Error(Arc::new(RpcError::internal(UNEXPECTED))));
            // What the store makes of this too is its own affair.
            let _ = self.core.tasks().submit(&id, end).await;
        }
    }
}
