//! Following a task of the 2026-07-28 extension.

use serde_json::{Value, json};

use super::Driver;
use super::pace::Pace;
use super::questions::Open;
use super::under_way::UnderWay;
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
    Updated(Result<(), ClientError>),
    Look,
    Looked(Result<Snapshot, ClientError>),
    Cancel,
    Told(Result<(), ClientError>),
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
        let mut looking = UnderWay::none();
        let mut updating = UnderWay::none();
        let mut cancelling = UnderWay::none();
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
                let put = open.update(&core.router, &self.asker(Some(&id)), snapshot.questions);
                put.map_err(|why| self.unanswered(why))?;
            }
            let looks = !looking.is_none();
            let event = tokio::select! {
                biased;
                () = cancel.cancelled(), if !cancels => Event::Cancel,
                news = news.next() => match news {
                    News::State(snapshot) => Event::Seen(snapshot),
                    News::Subscribed | News::Created => Event::Subscribed,
                },
                told = cancelling.outcome() => Event::Told(told),
                updated = updating.outcome() => Event::Updated(updated),
                answered = open.next(), if updating.is_none() => Event::Answered(answered),
                looked = looking.outcome() => Event::Looked(looked),
                () = &mut listening, if listens => Event::Unsubscribed,
                () = pace.wait(), if looking.is_none() => Event::Look,
                () = pace.over(looks) => Event::Over,
            };
            match event {
                Event::Seen(snapshot) => seen = Some(snapshot),
                // The grant may be overtaken by the end of what was granted.
                Event::Subscribed if listens => pace.subscribed(),
                Event::Subscribed => {}
                Event::Unsubscribed => {
                    listens = false;
                    pace.unsubscribed();
                }
                Event::Answered(answered) => {
                    let (key, answer) = answered.map_err(|why| self.unanswered(why))?;
                    let update = core.ask_apart(update(&id, &key, &answer));
                    updating.begin(async move { update.await.map(drop) });
                }
                Event::Updated(updated) => updated?,
                Event::Look => looking.begin(core.look(&id)),
                Event::Looked(looked) => match looked.and_then(|snapshot| self.ended(snapshot)) {
                    Ok(snapshot) => seen = Some(Box::new(snapshot)),
                    Err(error) => pace.failed(self.gone(error))?,
                },
                Event::Cancel => {
                    cancels = true;
                    let cancel = core.ask_apart(Ask::about("tasks/cancel", &id));
                    cancelling.begin(async move { cancel.await.map(drop) });
                }
                Event::Told(told) => self.acknowledge(told),
                Event::Over => return Err(self.expired()),
            }
        }
    }

    /// What a look has shown; of a task that has ended, its end must be seen.
    fn ended(&self, mut snapshot: Snapshot) -> Result<Snapshot, ClientError> {
        if snapshot.outcome.is_none() {
            match snapshot.task.status {
                Status::Completed => {
                    let id = &snapshot.task.id;
                    let why = format!("the completed task {id} has no result");
                    return Err(self.core.broken(why));
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
}

fn update(id: &TaskId, key: &str, answer: &Value) -> Ask {
    let mut ask = Ask::about("tasks/update", id);
    ask.params
        .insert("inputResponses".to_owned(), json!({ key: answer }));
    ask
}
