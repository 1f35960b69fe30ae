//! What the application does with a server's questions. What it has a handler for, and nothing else, is declared.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::completions::{Completion, CompletionDesk};
use crate::model::BoxFuture;
use crate::model::answer::Answer;
use crate::model::capability::{Capabilities, Capability};
use crate::model::form::Form;
use crate::model::input::{Action, InputRequest, InputResponse};
use crate::model::remote::LogMessage;
use crate::model::task::TaskId;

/// Who asks, and for what. [`ClientBuilder`](super::ClientBuilder) has an example.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Asker {
    /// The server's name, for people: they should know who wants to know.
    pub server: String,
    /// The tool that was called, where that is known: a question in a session of before 2026-07-28 does not tell.
    pub tool: Option<String>,
    /// The task that asks, where one does.
    pub task: Option<TaskId>,
}

/// A form for the user to fill in. [`ClientBuilder`](super::ClientBuilder) has an example.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FormQuestion {
    /// Who asks.
    pub asker: Asker,
    /// What the user should read.
    pub message: String,
    /// The fields.
    pub form: Form,
}

/// A page for the user to visit. [`ClientBuilder`](super::ClientBuilder) has an example.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct UrlQuestion {
    /// Who asks.
    pub asker: Asker,
    /// What the user should read.
    pub message: String,
    /// The address. Show it whole, and open it only once the user has agreed.
    pub url: String,
    /// What the server calls the user's visit there (2025-11-25 alone).
    pub elicitation_id: Option<String>,
    completion: Option<Completion>,
}

impl UrlQuestion {
    /// Resolves with `true` when the server says that the page has done its part; with `false` when it is clear that it
    /// never will: it gave the visit no id, as in 2026-07-28, or the connection has ended.
    ///
    /// A server need not say it, so do not wait without a limit; and it says so after the user has agreed, so do not
    /// wait before the question is answered. A clone may wait in a task of its own, to close what shows the question:
    ///
    /// ```
    /// use mcp_tasks::client::{Answer, Client, UrlQuestion};
    ///
    /// let client = Client::builder().on_url(async |question: UrlQuestion| {
    ///     println!("{}: visit {}", question.asker.server, question.url);
    ///     tokio::spawn(async move {
    ///         if question.completed().await {
    ///             println!("the page is done");
    ///         }
    ///     });
    ///     Answer::Accepted(())
    /// });
    /// ```
    pub async fn completed(&self) -> bool {
        match self.completion.clone() {
            Some(mut completion) => completion.told().await,
            None => false,
        }
    }
}

/// A completion that the server wants of the client's model. [`ClientBuilder::on_sample`](super::ClientBuilder::on_sample)
/// has an example.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SampleQuestion {
    /// Who asks.
    pub asker: Asker,
    /// The parameters of `sampling/createMessage`: `messages`, `maxTokens` and more.
    pub params: Map<String, Value>,
}

/// A folder or file that the server may work with. [`ClientBuilder`](super::ClientBuilder) has an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// Where it is: a `file://` address.
    pub uri: String,
    /// A name for people.
    pub name: Option<String>,
}

impl Root {
    /// A root without a name.
    pub fn new(uri: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            name: None,
        }
    }
}

type Handler<Q, A> = Arc<dyn Fn(Q) -> BoxFuture<'static, A> + Send + Sync>;

#[derive(Clone, Default)]
pub(super) struct Handlers {
    pub(super) form: Option<Handler<FormQuestion, Answer<Map<String, Value>>>>,
    pub(super) url: Option<Handler<UrlQuestion, Answer<()>>>,
    pub(super) sample: Option<Handler<SampleQuestion, Answer<Map<String, Value>>>>,
    pub(super) roots: Option<Handler<(), Vec<Root>>>,
    pub(super) log: Option<Arc<dyn Fn(LogMessage) + Send + Sync>>,
}

/// Why a question has no answer.
#[derive(Debug)]
pub(super) enum Unanswered {
    /// Nobody was to be asked such a thing: it was not declared.
    NoHandler(&'static str),
    /// The answer does not fit the form.
    Misfit(String),
    /// What should have answered panicked.
    Panicked,
    /// The user does not want that completion to be made, for which there is no answer.
    Rejected,
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHandler(method) => {
                write!(f, "this client did not declare that it answers `{method}`")
            }
            Self::Misfit(why) => write!(f, "the answer does not fit the form: {why}"),
            Self::Panicked => f.write_str("its handler panicked"),
            Self::Rejected => f.write_str("the user rejected the completion"),
        }
    }
}

impl Handlers {
    pub(super) fn capabilities(&self) -> Capabilities {
        [
            (self.form.is_some(), Capability::Elicitation),
            (self.url.is_some(), Capability::UrlElicitation),
            (self.sample.is_some(), Capability::Sampling),
            (self.roots.is_some(), Capability::Roots),
        ]
        .into_iter()
        .filter(|(has, _)| *has)
        .fold(Capabilities::NONE, |set, (_, one)| set.with(one))
    }

    pub(super) async fn answer(
        &self,
        asker: Asker,
        request: InputRequest,
        completions: &CompletionDesk,
    ) -> Result<InputResponse, Unanswered> {
        let missing = Unanswered::NoHandler(request.method());
        match request {
            InputRequest::Form { message, form } => {
                let handler = self.form.as_ref().ok_or(missing)?;
                let fields = form.clone();
                let answer = handler(FormQuestion {
                    asker,
                    message,
                    form,
                })
                .await;
                let answer =
                    answer.try_map(|content| fields.check(content).map_err(Unanswered::Misfit))?;
                Ok(elicited(answer))
            }
            InputRequest::Url {
                message,
                url,
                elicitation_id,
            } => {
                let handler = self.url.as_ref().ok_or(missing)?;
                let elicitation_id = Some(elicitation_id).filter(|id| !id.is_empty());
                let answer = handler(UrlQuestion {
                    asker,
                    message,
                    url,
                    completion: elicitation_id.as_deref().map(|id| completions.expect(id)),
                    elicitation_id,
                })
                .await;
                Ok(elicited(answer.map(|()| Map::new())))
            }
            InputRequest::Sample(params) => {
                let handler = self.sample.as_ref().ok_or(missing)?;
                match handler(SampleQuestion { asker, params }).await {
                    Answer::Accepted(result) => Ok(InputResponse::Sample(result)),
                    Answer::Declined | Answer::Dismissed => Err(Unanswered::Rejected),
                }
            }
            InputRequest::Roots => {
                let handler = self.roots.as_ref().ok_or(missing)?;
                let roots = handler(()).await.into_iter().map(root);
                Ok(InputResponse::Roots(roots.collect()))
            }
        }
    }
}

fn elicited(answer: Answer<Map<String, Value>>) -> InputResponse {
    let (action, content) = match answer {
        Answer::Accepted(content) => (Action::Accept, content),
        Answer::Declined => (Action::Decline, Map::new()),
        Answer::Dismissed => (Action::Cancel, Map::new()),
    };
    InputResponse::Elicit { action, content }
}

fn root(root: Root) -> Map<String, Value> {
    let mut object = Map::from_iter([("uri".to_owned(), json!(root.uri))]);
    if let Some(name) = root.name {
        object.insert("name".to_owned(), json!(name));
    }
    object
}

impl fmt::Debug for Handlers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handlers")
            .field("capabilities", &self.capabilities())
            .finish_non_exhaustive()
    }
}
