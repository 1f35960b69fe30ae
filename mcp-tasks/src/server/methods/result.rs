//! What a method of the application's answers with.

use serde_json::Value;

use crate::context::form::ElicitForm;
use crate::context::sample::SampleRequest;
use crate::model::form::Form;
use crate::model::input::InputRequest;

/// What a method of the application's answers with: a result, or questions to be answered first.
///
/// [`Server::on_method`](crate::Server::on_method) shows handlers that answer with JSON, and [`InputRequired`] one that asks.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum MethodResult {
    /// The `result` object. What the caller's revision wants in every result is added: `resultType`, the server's
    /// name in `_meta`, and for lists and `resources/read` `ttlMs` and `cacheScope` where the object has none
    /// (not to be kept, and for nobody else).
    Complete(Value),
    /// Questions; the client comes back with the answers.
    InputRequired(InputRequired),
}

impl From<Value> for MethodResult {
    fn from(result: Value) -> Self {
        Self::Complete(result)
    }
}

impl From<InputRequired> for MethodResult {
    fn from(asked: InputRequired) -> Self {
        Self::InputRequired(asked)
    }
}

/// Questions that must be answered before `prompts/get` or `resources/read` can be.
///
/// Only 2026-07-28 knows them there ([`Caller::is_modern`](crate::Caller::is_modern)). The client sends the same
/// request again with the answers, and the handler runs anew: nothing of the first run is kept but what
/// [`state`](Self::state) hands the client.
///
/// ```
/// use mcp_tasks::{Answer, ElicitForm, InputRequired, MethodCall, MethodResult, RpcError};
/// use serde_json::json;
///
/// #[derive(ElicitForm)]
/// struct Audience { audience: String }
///
/// async fn get_prompt(call: MethodCall) -> Result<MethodResult, RpcError> {
///     let Some(Answer::Accepted(Audience { audience })) = call.elicited("audience")? else {
///         return Ok(InputRequired::new().elicit::<Audience>("audience", "For whom?").into());
///     };
///     let text = format!("Explain it to {audience}.");
///     Ok(json!({ "messages": [{ "role": "user", "content": { "type": "text", "text": text } }] }).into())
/// }
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct InputRequired {
    pub(super) requests: Vec<(String, InputRequest)>,
    pub(super) state: Option<String>,
}

impl InputRequired {
    /// No question yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the user to fill in `T`.
    pub fn elicit<T: ElicitForm>(self, key: impl Into<String>, message: impl Into<String>) -> Self {
        self.elicit_form(key, message, T::form())
    }

    /// Asks the user to fill in a form made at run time.
    pub fn elicit_form(
        self,
        key: impl Into<String>,
        message: impl Into<String>,
        form: Form,
    ) -> Self {
        let message = message.into();
        self.ask(key, InputRequest::Form { message, form })
    }

    /// Asks for a completion by the client's model.
    pub fn sample(self, key: impl Into<String>, request: SampleRequest) -> Self {
        self.ask(key, InputRequest::Sample(request.into_params()))
    }

    /// Asks for the client's roots.
    pub fn roots(self, key: impl Into<String>) -> Self {
        self.ask(key, InputRequest::Roots)
    }

    /// Gives the client something to bring back with the answers. It passes through the client's hands: sign it
    /// if it must not be changed, and do not trust it otherwise.
    pub fn state(mut self, state: impl Into<String>) -> Self {
        self.state = Some(state.into());
        self
    }

    /// A key stands once; a later question under it takes the place of the earlier one.
    fn ask(mut self, key: impl Into<String>, request: InputRequest) -> Self {
        let key = key.into();
        self.requests.retain(|(other, _)| *other != key);
        self.requests.push((key, request));
        self
    }
}
