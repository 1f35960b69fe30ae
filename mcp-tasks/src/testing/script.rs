//! What the user will answer.

use serde_json::{Value, json};

use super::outcome::ErrorReply;

/// A question a tool put to the client, however it travelled.
///
/// [`context`](super::context) shows what a tool asked.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Question {
    /// Its key among the tool's `inputRequests`; `None` where it came as a request of the server's.
    pub key: Option<String>,
    /// `elicitation/create`, `sampling/createMessage` or `roots/list`.
    pub method: String,
    /// The method's parameters.
    pub params: Value,
}

impl Question {
    /// What the user reads; empty where the method has no message.
    pub fn message(&self) -> &str {
        self.params["message"].as_str().unwrap_or_default()
    }

    /// The form to fill in, `null` where there is none.
    pub fn schema(&self) -> &Value {
        &self.params["requestedSchema"]
    }

    /// What is wrong with an answer whose field the form does not have: a server would skip it, and a misspelt test pass.
    pub(super) fn lacks(&self, reply: &Reply) -> Option<String> {
        let Reply::Accept(Value::Object(content)) = reply else {
            return None;
        };
        let fields = self.schema()["properties"].as_object()?;
        let other = content.keys().find(|key| !fields.contains_key(*key))?;
        let fields: Vec<_> = fields.keys().map(|field| format!("`{field}`")).collect();
        let fields = fields.join(", ");
        Some(format!(
            "the answer fills in `{other}`, which the form lacks; it has {fields}"
        ))
    }

    fn is_about(&self, name: &str) -> bool {
        self.key.as_deref() == Some(name) || self.message().contains(name)
    }
}

/// What comes back for a question.
///
/// [`Call`](super::Call) shows how it is given.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Reply {
    /// The user accepts with this content, of the form's own fields; `null` leaves the content out.
    Accept(Value),
    /// The user declines.
    Decline,
    /// The user closes the question without a choice (`cancel` on the wire).
    Dismiss,
    /// Nothing ever comes back.
    Never,
    /// In place of an answer, the client cancels the call. A 2026-07-28 call that is no task waits with its client,
    /// which has nothing to cancel then; there it is [`Never`](Self::Never).
    CancelCall,
    /// This result, as it stands: for sampling and roots, or to send nonsense.
    Result(Value),
    /// A JSON-RPC error. Revisions that ask within results have no way to say this; there it is [`Never`](Self::Never).
    Error(ErrorReply),
}

impl Reply {
    /// The result to send, `None` where none is sent.
    pub(super) fn result(&self) -> Option<Value> {
        match self {
            Self::Accept(Value::Null) => Some(json!({ "action": "accept" })),
            Self::Accept(content) => Some(json!({ "action": "accept", "content": content })),
            Self::Decline => Some(json!({ "action": "decline" })),
            Self::Dismiss => Some(json!({ "action": "cancel" })),
            Self::Result(result) => Some(result.clone()),
            Self::Never | Self::CancelCall | Self::Error(_) => None,
        }
    }
}

type Responder = Box<dyn FnMut(&Question) -> Reply + Send>;

/// The replies a call has ready.
#[derive(Default)]
pub(super) struct Script {
    /// Each serves once; a named one only the question it names.
    replies: Vec<(Option<String>, Reply)>,
    /// Serves whatever the replies leave.
    otherwise: Option<Responder>,
}

impl Script {
    pub(super) fn push(&mut self, about: Option<String>, reply: Reply) {
        self.replies.push((about, reply));
    }

    pub(super) fn otherwise(&mut self, responder: Responder) {
        self.otherwise = Some(responder);
    }

    /// The reply to `question`: the first that may serve it.
    pub(super) fn reply(&mut self, question: &Question) -> Option<Reply> {
        let serves = |(about, _): &(Option<String>, Reply)| {
            about.as_deref().is_none_or(|name| question.is_about(name))
        };
        match self.replies.iter().position(serves) {
            Some(index) => Some(self.replies.remove(index).1),
            None => self.otherwise.as_mut().map(|responder| responder(question)),
        }
    }

    /// The replies that no question has used up.
    pub(super) fn left(&self) -> &[(Option<String>, Reply)] {
        &self.replies
    }
}
