//! One request of a method that the application answers.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::super::caller::Caller;
use crate::context::form::ElicitForm;
use crate::model::answer::Answer;
use crate::model::error::RpcError;
use crate::model::input::{Action, InputRequest, InputResponse};
use crate::wire::input;

/// One request of a method that [`Server::on_method`](crate::Server::on_method) answers.
#[derive(Clone, Debug)]
pub struct MethodCall {
    pub(super) method: Arc<str>,
    pub(super) params: Option<Arc<RawValue>>,
    pub(super) caller: Caller,
    pub(super) inputs: Vec<(String, Box<RawValue>)>,
    pub(super) state: Option<String>,
}

impl MethodCall {
    /// The method's name, such as `prompts/get`.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// Who calls.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// The parameters as `T`. A request without any has an empty object; `_meta` is one of them.
    ///
    /// # Errors
    /// -32602 if they do not fit; it says what does not.
    ///
    /// ```
    /// # use mcp_tasks::{MethodCall, RpcError};
    /// #[derive(serde::Deserialize)]
    /// struct Read { uri: String }
    ///
    /// # fn handler(call: &MethodCall) -> Result<(), RpcError> {
    /// let Read { uri } = call.params()?;
    /// # drop(uri); Ok(()) }
    /// ```
    pub fn params<T: DeserializeOwned>(&self) -> Result<T, RpcError> {
        serde_json::from_str(self.raw_params()).map_err(|error| {
            // The reader's complaint may quote what it could not read.
            let why: String = error.to_string().chars().take(200).collect();
            RpcError::invalid_params(format!("Invalid parameters: {why}"))
        })
    }

    /// The parameters as they came, as JSON text.
    pub fn raw_params(&self) -> &str {
        self.params.as_ref().map_or("{}", |params| params.get())
    }

    /// The user's answer to a form that this method asked for by [`InputRequired::elicit`], `None` where the
    /// request carries none.
    ///
    /// [`InputRequired::elicit`]: crate::InputRequired::elicit
    ///
    /// # Errors
    /// -32602 if the answer does not fit the form.
    pub fn elicited<T: ElicitForm>(&self, key: &str) -> Result<Option<Answer<T>>, RpcError> {
        let Some(raw) = self.input(key) else {
            return Ok(None);
        };
        let misfit = |why: String| {
            RpcError::invalid_params(format!("the answer `{key}` does not fit: {why}"))
        };
        let question = InputRequest::Form {
            message: String::new(),
            form: T::form(),
        };
        match input::read(&question, raw).map_err(misfit)? {
            InputResponse::Elicit { action, content } => Ok(Some(match action {
                Action::Accept => Answer::Accepted(T::from_content(content).map_err(misfit)?),
                Action::Decline => Answer::Declined,
                Action::Cancel => Answer::Dismissed,
            })),
            _ => Err(misfit("it answers another kind of question".to_owned())),
        }
    }

    /// An answer as it came, to whatever [`InputRequired`](crate::InputRequired) asked under `key`.
    pub fn input(&self, key: &str) -> Option<&RawValue> {
        let found = self.inputs.iter().find(|(name, _)| name == key);
        found.map(|(_, raw)| &**raw)
    }

    /// What [`InputRequired::state`](crate::InputRequired::state) gave the client, as the client gives it back.
    pub fn request_state(&self) -> Option<&str> {
        self.state.as_deref()
    }
}
