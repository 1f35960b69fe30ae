//! Following a task of the 2026-07-28 extension.

use serde_json::{Value, json};

use super::Driver;
use super::pace::Pace;
use super::questions::Open;
use crate::client::core::Ask;
use crate::client::error::ClientError;
use crate::client::news::News;
use crate::model::error::RpcError;
use crate::model::remote::{CallResult, Status};
use crate::model::task::TaskId;
use crate::wire::client::task::Snapshot;

enum Event {
    Seen(Box<Snapshot>),
    Subscribed,
    Unsubscribed,
    Answered(Result<(String, Value), String>),
    Look,
    Cancel,
    Over,
}

impl Driver {
    pub(super) async fn follow_extension(
        &mut self,
        first: Snapshot,
    ) -> Result<CallResult, ClientError> {
        let core = self.core.clone();
        let id = first.task.id.clone();
        let mut guard = self.guard(&id);
        let mut news = core.router.news.read(&id);
        let listening = core.listen(&id);
        tokio::pin!(listening);
        let (mut listens, mut cancels) = (true, false);
        let mut pace = Pace::new();
        let mut open = Open::default();
        let cancel = self.cancel.clone();
        let mut seen = Some(Box::new(first));
        loop {
            if let Some(snapshot) = seen.take() {
                pace.seen(&snapshot.task);
                self.see(&snapshot.task).await;
                if snapshot.task.status.is_terminal() {
                    guard.disarm();
                }
                if let Some(end) = self.end(&snapshot) {
                    return end;
                }
                let put = open.update(
                    &core.router.handlers,
                    &self.asker(Some(&id)),
                    snapshot.questions,
                );
                put.map_err(|why| self.unanswered(why))?;
            }
            let event = tokio::select! {
                biased;
                () = cancel.cancelled(), if !cancels => Event::Cancel,
                news = news.next() => match news {
                    News::State(snapshot) => Event::Seen(snapshot),
                    News::Subscribed | News::Created => Event::Subscribed,
                },
                answered = open.next() => Event::Answered(answered),
                () = &mut listening, if listens => Event::Unsubscribed,
                () = pace.wait() => Event::Look,
                () = pace.over() => Event::Over,
            };
            match event {
                Event::Seen(snapshot) => seen = Some(snapshot),
                Event::Subscribed => pace.subscribed(),
                Event::Unsubscribed => {
                    listens = false;
                    pace.unsubscribed();
                }
                Event::Answered(answered) => {
                    let (key, answer) = answered.map_err(|why| self.unanswered(why))?;
                    self.update(&id, &key, answer).await?;
                }
                Event::Look => match self.look(&id).await {
                    Ok(snapshot) => seen = Some(Box::new(snapshot)),
                    Err(error) => pace.failed(self.gone(error))?,
                },
                Event::Cancel => {
                    cancels = true;
                    let told = self
                        .core
                        .ask_plainly(&Ask::about("tasks/cancel", &id))
                        .await;
                    self.acknowledge(told.map(drop));
                }
                Event::Over => return Err(self.expired()),
            }
        }
    }

    /// Looks at the task; of one that has ended, its end must be seen.
    async fn look(&self, id: &TaskId) -> Result<Snapshot, ClientError> {
        let mut snapshot = self.core.get_task(id).await?;
        if snapshot.outcome.is_none() {
            match snapshot.task.status {
                Status::Completed => {
                    return Err(self
                        .core
                        .broken(format!("the completed task {id} has no result")));
                }
                Status::Failed => {
                    let why = snapshot.task.message.clone();
                    let why = why.unwrap_or_else(|| "the task failed".to_owned());
                    snapshot.outcome = Some(Err(RpcError::internal(why)));
                }
                _ => {}
            }
        }
        Ok(snapshot)
    }

    /// How the call ends with this state. What creates a task brings no outcome, even if the task has ended.
    fn end(&self, snapshot: &Snapshot) -> Option<Result<CallResult, ClientError>> {
        match snapshot.task.status {
            Status::Cancelled => Some(Err(self.cancelled())),
            Status::Completed | Status::Failed | Status::Unknown => {
                let outcome = snapshot.outcome.clone()?;
                Some(outcome.map_err(|error| self.failed(error)))
            }
            Status::Submitted | Status::Working | Status::InputRequired => None,
        }
    }

    async fn update(&self, id: &TaskId, key: &str, answer: Value) -> Result<(), ClientError> {
        let mut ask = Ask::about("tasks/update", id);
        ask.params
            .insert("inputResponses".to_owned(), json!({ key: answer }));
        self.core.ask_plainly(&ask).await.map(drop)
    }
}
