//! Questions a run puts to the client, and the answers that came back.

use serde_json::{Map, Value};

use super::capability::Capability;
use super::form::Form;

/// A question to the client or its user.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum InputRequest {
    /// Show a form (`elicitation/create`, form mode).
    Form {
        /// What the user reads.
        message: String,
        /// The fields to fill in.
        form: Form,
    },
    /// Send the user to a page (`elicitation/create`, URL mode).
    Url {
        /// What the user reads.
        message: String,
        /// Where to go.
        url: String,
        /// Names this elicitation in 2025-11-25.
        elicitation_id: String,
    },
    /// Run a completion (`sampling/createMessage`); the params go out as they are.
    Sample(Map<String, Value>),
    /// List the client's roots (`roots/list`).
    Roots,
}

impl InputRequest {
    /// What a client must have declared to be sent this.
    pub fn requires(&self) -> Capability {
        match self {
            Self::Form { .. } => Capability::Elicitation,
            Self::Url { .. } => Capability::UrlElicitation,
            Self::Sample(params) if params.contains_key("tools") => Capability::SamplingTools,
            Self::Sample(_) => Capability::Sampling,
            Self::Roots => Capability::Roots,
        }
    }

    /// The method that carries this question.
    pub fn method(&self) -> &'static str {
        match self {
            Self::Form { .. } | Self::Url { .. } => "elicitation/create",
            Self::Sample(_) => "sampling/createMessage",
            Self::Roots => "roots/list",
        }
    }
}

/// What the user did with an elicitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Agreed, with content if the question was a form.
    Accept,
    /// Said no.
    Decline,
    /// Closed it without a choice.
    Cancel,
}

/// An answer whose shape has been checked against its question.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum InputResponse {
    /// To a form or a URL. The content has been checked against the form.
    Elicit {
        /// What the user did.
        action: Action,
        /// The filled-in fields; empty unless a form was accepted.
        content: Map<String, Value>,
    },
    /// To a completion: the `CreateMessageResult` object.
    Sample(Map<String, Value>),
    /// To `roots/list`: the `roots` array's objects.
    Roots(Vec<Map<String, Value>>),
}
