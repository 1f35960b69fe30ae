//! Requests to the client itself: completions and roots. For hosts of the revisions that have them.

use serde_json::{Map, Value, json};

use crate::model::error::AskError;
use crate::model::input::{InputRequest, InputResponse};

use super::Context;
use super::ask::Question;
use super::elicit::mismatch;

/// A completion to be run by the client's model.
///
/// ```
/// use mcp_tasks::SampleRequest;
///
/// let request = SampleRequest::new(200).system("Answer in one word.").user("Capital of France?");
/// ```
#[derive(Clone, Debug)]
pub struct SampleRequest {
    params: Map<String, Value>,
    messages: Vec<Value>,
}

impl SampleRequest {
    /// A completion of at most `max_tokens` tokens.
    pub fn new(max_tokens: u32) -> Self {
        let mut params = Map::new();
        params.insert("messages".into(), Value::Null);
        params.insert("maxTokens".into(), max_tokens.into());
        Self {
            params,
            messages: Vec::new(),
        }
    }

    /// Adds a message from the user.
    pub fn user(self, text: impl AsRef<str>) -> Self {
        self.message("user", text.as_ref())
    }

    /// Adds a message from the model.
    pub fn assistant(self, text: impl AsRef<str>) -> Self {
        self.message("assistant", text.as_ref())
    }

    /// Sets the system prompt.
    pub fn system(self, text: impl Into<String>) -> Self {
        self.param("systemPrompt", text.into())
    }

    /// Sets any other field of `CreateMessageRequest`, such as `temperature` or `modelPreferences`.
    pub fn param(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.params.insert(name.into(), value.into());
        self
    }

    fn message(mut self, role: &str, text: &str) -> Self {
        self.messages
            .push(json!({"role": role, "content": {"type": "text", "text": text}}));
        self
    }

    pub(crate) fn into_params(mut self) -> Map<String, Value> {
        self.params.insert("messages".into(), self.messages.into());
        self.params
    }
}

/// What the client's model answered.
///
/// [`Context::sample`] asks for it.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleResult(Map<String, Value>);

impl SampleResult {
    /// The text of the answer, all text blocks joined.
    pub fn text(&self) -> String {
        let text = |block: &Value| block["text"].as_str().map(str::to_owned);
        match self.0.get("content") {
            Some(Value::Array(blocks)) => blocks.iter().filter_map(text).collect(),
            Some(block) => text(block).unwrap_or_default(),
            None => String::new(),
        }
    }

    /// The model's name.
    pub fn model(&self) -> &str {
        self.0
            .get("model")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// The whole `CreateMessageResult`.
    pub fn as_map(&self) -> &Map<String, Value> {
        &self.0
    }
}

/// A directory or file that the client lets the server work on.
///
/// [`Context::roots`] lists them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// Where it is, a `file://` URI.
    pub uri: String,
    /// A name for people.
    pub name: Option<String>,
}

impl Context {
    /// Runs a completion on the client's model.
    ///
    /// ```
    /// use mcp_tasks::{AskError, Context, SampleRequest};
    ///
    /// async fn summary(ctx: &Context, text: &str) -> Result<String, AskError> {
    ///     let request = SampleRequest::new(200).system("Summarise in one sentence.").user(text);
    ///     Ok(ctx.sample(request).await?.text())
    /// }
    /// ```
    pub fn sample(&self, request: SampleRequest) -> Question<SampleResult> {
        let request = InputRequest::Sample(request.into_params());
        Question::new(self, "sample", request, |response| match response {
            InputResponse::Sample(result) => Ok(SampleResult(result.clone())),
            _ => Err(mismatch()),
        })
    }

    /// Lists the client's roots.
    ///
    /// ```
    /// use mcp_tasks::{AskError, Context};
    ///
    /// async fn folders(ctx: &Context) -> Result<Vec<String>, AskError> {
    ///     Ok(ctx.roots().await?.into_iter().map(|root| root.uri).collect())
    /// }
    /// ```
    pub fn roots(&self) -> Question<Vec<Root>> {
        Question::new(
            self,
            "roots",
            InputRequest::Roots,
            |response| match response {
                InputResponse::Roots(roots) => Ok(roots.iter().filter_map(root).collect()),
                _ => Err(AskError::Invalid("it is no list of roots".into())),
            },
        )
    }
}

fn root(root: &Map<String, Value>) -> Option<Root> {
    let text = |key: &str| root.get(key).and_then(Value::as_str).map(str::to_owned);
    Some(Root {
        uri: text("uri")?,
        name: text("name"),
    })
}
