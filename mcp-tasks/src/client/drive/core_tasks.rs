//! Following a task of 2025-11-25.

use serde_json::{Map, Value};

use super::pace::Pace;
use super::under_way::UnderWay;
use super::{Driver, Guard};
use crate::client::core::Ask;
use crate::client::error::ClientError;
use crate::client::news::{News, Reader};
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

/// How a call ended.
type End = Result<CallResult, ClientError>;

/// What is known of a task, and what is under way about it.
struct Following<'d> {
    driver: &'d mut Driver,
    id: TaskId,
    status: Status,
    guard: Guard,
    pace: Pace,
    fetching: UnderWay<Result<Map<String, Value>, ClientError>>,
    looking: UnderWay<Result<Snapshot, ClientError>>,
    cancelling: UnderWay<Result<Map<String, Value>, ClientError>>,
    /// How often `tasks/result` was lost.
    lost: u32,
    /// The server has no result before the end.
    refused: bool,
    /// The caller wants it cancelled.
    cancels: bool,
    /// What `tasks/result` gave while the task was being cancelled: its state tells whether it is the tool's result.
    doubtful: Option<Map<String, Value>>,
}

impl Driver {
    /// Looks until the task has ended or asks something. Then `tasks/result` is opened, which brings the end, and on
    /// many servers is the only place where questions are put; each is answered where it arrives. A server that does
    /// not keep it open until the end, as it must, is asked again at the end.
    pub(super) async fn follow_core(&mut self, first: Snapshot) -> End {
        let mut news = self.core.router.news.read(&first.task.id);
        let mut following = Following::of(self, &first);
        let mut seen = Some(Box::new(first));
        loop {
            if let Some(snapshot) = seen.take()
                && let Some(end) = following.see(&snapshot).await
            {
                return end;
            }
            let end = match following.next(&mut news).await {
                Event::Seen(snapshot) => {
                    seen = Some(snapshot);
                    None
                }
                Event::Fetched(fetched) => following.fetched(fetched),
                Event::Look => {
                    following.look();
                    None
                }
                Event::Looked(looked) => following.looked(looked, &mut seen),
                Event::Cancel => {
                    following.cancel();
                    None
                }
                Event::Told(told) => {
                    seen = following.told(told).map(Box::new);
                    None
                }
                Event::Over => Some(following.over()),
            };
            if let Some(end) = end {
                return end;
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
}

impl<'d> Following<'d> {
    fn of(driver: &'d mut Driver, first: &Snapshot) -> Self {
        let id = first.task.id.clone();
        Self {
            guard: driver.guard(&id),
            driver,
            id,
            status: first.task.status,
            pace: Pace::new(),
            fetching: UnderWay::none(),
            looking: UnderWay::none(),
            cancelling: UnderWay::none(),
            lost: 0,
            refused: false,
            cancels: false,
            doubtful: None,
        }
    }

    async fn next(&mut self, news: &mut Reader) -> Event {
        let looks = !self.looking.is_none();
        tokio::select! {
            biased;
            () = self.driver.cancel.cancelled(), if !self.cancels => Event::Cancel,
            fetched = self.fetching.outcome() => Event::Fetched(fetched),
            snapshot = state(news) => Event::Seen(snapshot),
            told = self.cancelling.outcome() => Event::Told(told),
            looked = self.looking.outcome() => Event::Looked(looked),
            () = self.pace.wait(), if !looks => Event::Look,
            () = self.pace.over(looks) => Event::Over,
        }
    }

    /// Shows a state, and asks for the result where it is time to.
    async fn see(&mut self, snapshot: &Snapshot) -> Option<End> {
        let status = snapshot.task.status;
        // What was said before the end may arrive behind it, by another stream.
        if self.status.is_terminal() && !status.is_terminal() {
            self.pace.plan();
            tracing::debug!("the task {} had ended, and is {status}", self.id);
            return None;
        }
        self.pace.seen(&snapshot.task);
        self.driver.see(&snapshot.task).await;
        self.status = status;
        if status.is_terminal() {
            self.guard.disarm();
        }
        if status == Status::Cancelled {
            return Some(Err(self.driver.cancelled()));
        }
        if let Some(result) = self.doubtful.take_if(|_| status.is_terminal()) {
            return Some(Ok(CallResult::new(result)));
        }
        let asks = status == Status::InputRequired && !self.refused;
        let may_fetch = self.fetching.is_none() && self.doubtful.is_none();
        if may_fetch && (status.is_terminal() || asks) {
            self.fetching.begin(self.ask("tasks/result"));
        }
        None
    }

    /// The answer to `tasks/result`.
    fn fetched(&mut self, fetched: Result<Map<String, Value>, ClientError>) -> Option<End> {
        match fetched {
            // 2025-11-25 leaves open what there is to give of a cancelled task.
            Ok(result) if self.cancels && !self.status.is_terminal() => {
                self.guard.disarm();
                self.doubtful = Some(result);
                // A look that began before tells nothing.
                self.looking = UnderWay::none();
                self.pace.now();
                None
            }
            Ok(result) => {
                self.guard.disarm();
                Some(Ok(CallResult::new(result)))
            }
            // Either it has ended with this error, or the server has no result before the end: a look tells.
            Err(ClientError::Refused { .. }) if !self.status.is_terminal() => {
                self.refused = true;
                self.pace.now();
                None
            }
            // The error is the call's own, as the task ended with it; a completed one has none, but may be gone.
            Err(ClientError::Refused { error, .. }) => {
                self.guard.disarm();
                let error = self.driver.failed(error);
                Some(Err(match self.status {
                    Status::Completed => self.driver.gone(error),
                    _ => error,
                }))
            }
            Err(error) => {
                self.lost += 1;
                if self.lost > LOST {
                    return Some(Err(error));
                }
                self.pace.failed(error).err().map(Err)
            }
        }
    }

    fn look(&mut self) {
        self.looking.begin(self.driver.core.look(&self.id));
    }

    fn looked(
        &mut self,
        looked: Result<Snapshot, ClientError>,
        seen: &mut Option<Box<Snapshot>>,
    ) -> Option<End> {
        match (looked, self.doubtful.take()) {
            (Ok(snapshot), Some(result)) if snapshot.task.status != Status::Cancelled => {
                Some(Ok(CallResult::new(result)))
            }
            (Ok(snapshot), _) => {
                *seen = Some(Box::new(snapshot));
                None
            }
            (Err(_), Some(result)) => Some(Ok(CallResult::new(result))),
            (Err(error), None) => {
                let gone = self.driver.gone(error);
                self.pace.failed(gone).err().map(Err)
            }
        }
    }

    fn cancel(&mut self) {
        self.cancels = true;
        if self.driver.may_cancel() {
            self.cancelling.begin(self.ask("tasks/cancel"));
        }
    }

    fn over(&mut self) -> End {
        let result = self.doubtful.take().map(CallResult::new);
        result.ok_or_else(|| self.driver.expired())
    }

    fn ask(
        &self,
        method: &'static str,
    ) -> impl Future<Output = Result<Map<String, Value>, ClientError>> + Send + use<> {
        self.driver.core.ask_apart(Ask::about(method, &self.id))
    }

    /// What came of the cancellation, which shows what the task is then.
    fn told(&self, told: Result<Map<String, Value>, ClientError>) -> Option<Snapshot> {
        match told {
            Ok(result) => {
                self.driver.acknowledge(Ok(()));
                let shown = task::read(result).ok();
                shown.filter(|shown| shown.task.id == self.id)
            }
            // It has ended before, or is no more: the next look tells.
            Err(error)
                if error
                    .rpc()
                    .is_some_and(|rpc| rpc.code == RpcError::INVALID_PARAMS) =>
            {
                self.driver.acknowledge(Ok(()));
                None
            }
            Err(error) => {
                self.driver.acknowledge(Err(error));
                None
            }
        }
    }
}

async fn state(news: &mut Reader) -> Box<Snapshot> {
    loop {
        if let News::State(snapshot) = news.next().await {
            return snapshot;
        }
    }
}
