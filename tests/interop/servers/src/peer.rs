//! The server that is tried, as two clients see it: one that takes tasks, and one that does not.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use mcp_tasks::client::{Answer, Client, ClientError, Endpoint, FormQuestion, PendingCall, Wire};
use serde_json::{Map, Value, json};

use crate::report::{Failed, expect};

/// Where the server is.
pub(crate) enum Place {
    Url(String),
    Command(Vec<String>),
}

impl Place {
    pub(crate) fn new(transport: &str, words: Vec<String>) -> Result<Self, String> {
        match (transport, &words[..]) {
            ("http", [url]) => Ok(Self::Url(url.clone())),
            ("stdio", [_, ..]) => Ok(Self::Command(words)),
            _ => Err(format!("no place of a server: {transport} {words:?}")),
        }
    }

    fn endpoint(&self) -> Endpoint {
        match self {
            Self::Url(url) => url.clone().into(),
            Self::Command(words) => {
                let mut command = std::process::Command::new(&words[0]);
                command.args(&words[1..]);
                command.into()
            }
        }
    }
}

/// What the user does with the questions that come, and what they were.
#[derive(Clone, Default)]
pub(crate) struct User {
    answers: Arc<Mutex<VecDeque<Answer<bool>>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl User {
    pub(crate) fn will(&self, answer: Answer<bool>) {
        lock(&self.asked).clear();
        lock(&self.answers).push_back(answer);
    }

    /// What was asked since the answer was settled.
    pub(crate) fn asked(&self) -> Vec<String> {
        lock(&self.asked).clone()
    }

    /// Fills in the one field of the form. A question that nobody expected is declined.
    fn answer(&self, question: FormQuestion) -> Answer<Map<String, Value>> {
        lock(&self.asked).push(question.message);
        let answer = lock(&self.answers).pop_front().unwrap_or(Answer::Dismissed);
        let field = question
            .form
            .fields()
            .first()
            .map(|field| field.name().to_owned());
        answer.map(|yes| field.map(|field| (field, json!(yes))).into_iter().collect())
    }
}

pub(crate) struct Peer {
    place: Place,
    pub(crate) user: User,
    /// Takes tasks.
    pub(crate) client: Client,
    /// Takes none.
    pub(crate) plain: Client,
}

impl Peer {
    pub(crate) async fn connect(place: Place) -> Result<Self, ClientError> {
        let user = User::default();
        Ok(Self {
            client: client(&place, &user, true).await?,
            plain: client(&place, &user, false).await?,
            place,
            user,
        })
    }

    pub(crate) fn wire(&self) -> Wire {
        self.client.wire()
    }

    pub(crate) fn is_http(&self) -> bool {
        matches!(self.place, Place::Url(_))
    }

    /// Another client that takes tasks, as after a restart.
    pub(crate) async fn another(&self) -> Result<Client, ClientError> {
        client(&self.place, &self.user, true).await
    }

    pub(crate) async fn close(self) {
        tokio::join!(self.client.close(), self.plain.close());
    }

    /// Lets the build of a target go on, through the connection that it was begun on: over stdio there is a server of
    /// each.
    pub(crate) async fn approve(&self, client: &Client, target: &str) -> Result<(), Failed> {
        client
            .call_tool("approve", json!({ "target": target }))
            .await?;
        Ok(())
    }

    /// Fails unless the build of a target has stopped.
    pub(crate) async fn has_stopped(&self, client: &Client, target: &str) -> Result<(), Failed> {
        let ended = client
            .call_tool("ended", json!({ "target": target }))
            .await?;
        expect(ended.text(), format!("the build of {target} has ended"))
    }

    /// A call that has become a task.
    pub(crate) async fn begin(&self, tool: &str, arguments: Value) -> Result<PendingCall, Failed> {
        let call = self.client.begin_call_tool(tool, arguments).await?;
        is_task(&call).await?;
        Ok(call)
    }
}

/// Fails unless a call is a task.
pub(crate) async fn is_task(call: &PendingCall) -> Result<(), Failed> {
    match call.task_id().await {
        Some(_) => Ok(()),
        None => Err(Failed(format!("no task, but {:?}", call.result().await))),
    }
}

async fn client(place: &Place, user: &User, tasks: bool) -> Result<Client, ClientError> {
    let user = user.clone();
    Client::builder()
        .name("interop-client", "0")
        .tasks(tasks)
        .on_form(move |question| std::future::ready(user.answer(question)))
        .connect(place.endpoint())
        .await
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
