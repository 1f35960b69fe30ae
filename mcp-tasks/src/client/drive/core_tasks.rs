//! Following a task of 2025-11-25.

use serde_json::{Map, Value};

use super::Driver;
use super::pace::Pace;
use super::under_way::UnderWay;
use crate::client::core::Ask;
use crate::client::error::ClientError;
use crate::client::news::News;
use crate::model::error::RpcError;
use crate::model::remote::{CallResult, Status};
use crate::model::task::TaskId;
use crate::wire::client::task::{self, Snapshot};

/// How often a `tasks/result` may be lost.
const LOST: u32 = 8;

enum Event {
    Seen(Box<Snapshot>),
    Fetched(Result<Map<String, Value>, ClientError>),
    Look,
    Looked(Result<Snapshot, ClientError>),
    Cancel,
    Told(Result<Map<String, Value>, ClientError>),
    Over,
}

impl Driver {
    /// Looks until the task has ended or asks something. Then `tasks/result` is opened, which brings the end, and on
    /// many servers is the only place where questions are put; each is answered where it arrives. A server that does
    /// not keep it open until the end, as it must, is asked again at the end.
    pub(super) async fn follow_core(&mut self, first: Snapshot) -> Result<CallResult, ClientError> {
        let core = self.core.clone();
        let id = first.task.id.clone();
        let mut guard = self.guard(&id);
        let mut news = core.router.news.read(&id);
        let mut pace = Pace::new();
        let mut fetching = UnderWay::none();
        let mut looking = UnderWay::none();
        let mut cancelling = UnderWay::none();
        let (mut lost, mut refused, mut cancels) = (0, false, false);
        let cancel = self.cancel.clone();
        let mut status = first.task.status;
        let mut seen = Some(Box::new(first));
        loop {
            // What was said before the end may arrive behind it, by another stream.
            let late =
                |snapshot: &Snapshot| status.is_terminal() && !snapshot.task.status.is_terminal();
            if let Some(snapshot) = seen.take_if(|snapshot| late(snapshot)) {
                pace.plan();
                tracing::debug!("the task {id} had ended, and is {}", snapshot.task.status);
            }
            if let Some(snapshot) = seen.take() {
                pace.seen(&snapshot.task);
                self.see(&snapshot.task).await;
                status = snapshot.task.status;
                if status.is_terminal() {
                    guard.disarm();
                }
                if status == Status::Cancelled {
                    return Err(self.cancelled());
                }
                let asks = status == Status::InputRequired && !refused;
                if fetching.is_none() && (status.is_terminal() || asks) {
                    fetching.begin(core.ask_apart(Ask::about("tasks/result", &id)));
                }
            }
            let looks = !looking.is_none();
            let event = tokio::select! {
                biased;
                () = cancel.cancelled(), if !cancels => Event::Cancel,
                fetched = fetching.outcome() => Event::Fetched(fetched),
                snapshot = state(&mut news) => Event::Seen(snapshot),
                told = cancelling.outcome() => Event::Told(told),
                looked = looking.outcome() => Event::Looked(looked),
                () = pace.wait(), if looking.is_none() => Event::Look,
                () = pace.over(looks) => Event::Over,
            };
            match event {
                Event::Seen(snapshot) => seen = Some(snapshot),
                Event::Fetched(Ok(result)) => {
                    guard.disarm();
                    return Ok(CallResult::new(result));
                }
                // Either it has ended with this error, or the server has no result before the end: a look tells.
                Event::Fetched(Err(ClientError::Refused { .. })) if !status.is_terminal() => {
                    refused = true;
                    pace.now();
                }
                // The error is the call's own, as the task ended with it; a completed one has none, but may be gone.
                Event::Fetched(Err(ClientError::Refused { error, .. })) => {
                    guard.disarm();
                    let error = self.failed(error);
                    let has_result = status == Status::Completed;
                    return Err(if has_result { self.gone(error) } else { error });
                }
                Event::Fetched(Err(error)) => {
                    lost += 1;
                    if lost > LOST {
                        return Err(error);
                    }
                    pace.failed(error)?;
                }
                Event::Look => looking.begin(core.look(&id)),
                Event::Looked(looked) => match looked {
                    Ok(snapshot) => seen = Some(Box::new(snapshot)),
                    Err(error) => pace.failed(self.gone(error))?,
                },
                Event::Cancel => {
                    cancels = true;
                    if self.may_cancel() {
                        cancelling.begin(core.ask_apart(Ask::about("tasks/cancel", &id)));
                    }
                }
                Event::Told(told) => seen = self.told(&id, told).map(Box::new),
                Event::Over => return Err(self.expired()),
            }
        }
    }

    /// Whether the server offers to cancel tasks.
    fn may_cancel(&self) -> bool {
        let offered = self
            .core
            .session()
            .is_ok_and(|session| session.server.offers(&["tasks", "cancel"]));
        if !offered {
            self.acknowledge(Err(ClientError::Unsupported(format!(
                "{} does not offer to cancel tasks",
                self.core.router.server()
            ))));
        }
        offered
    }

    /// What came of the cancellation, which shows what the task is then.
    fn told(&self, id: &TaskId, told: Result<Map<String, Value>, ClientError>) -> Option<Snapshot> {
        match told {
            Ok(result) => {
                self.acknowledge(Ok(()));
                let shown = task::read(result).ok();
                shown.filter(|shown| shown.task.id == *id)
            }
            // It has ended before, or is no more: the next look tells.
            Err(error)
                if error
                    .rpc()
                    .is_some_and(|rpc| rpc.code == RpcError::INVALID_PARAMS) =>
            {
                self.acknowledge(Ok(()));
                None
            }
            Err(error) => {
                self.acknowledge(Err(error));
                None
            }
        }
    }
}

async fn state(news: &mut crate::client::news::Reader) -> Box<Snapshot> {
    loop {
        if let News::State(snapshot) = news.next().await {
            return snapshot;
        }
    }
}
