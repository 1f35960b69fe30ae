//! What came of a call.

use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::kind::ClientKind;
use super::script::Question;

/// A JSON-RPC error that came instead of a result.
///
/// [`Outcome::error`] gives it; see [the guide](crate::guide::testing#a-call).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ErrorReply {
    /// The error's number.
    pub code: i64,
    /// The error's sentence.
    pub message: String,
    /// Anything more.
    pub data: Option<Value>,
}

impl ErrorReply {
    /// An error without data.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }

    /// Reads the `error` member of a response or of a failed task.
    ///
    /// # Panics
    /// If it is no error object.
    pub(super) fn read(error: &Value) -> Self {
        let (Some(code), Some(message)) = (error["code"].as_i64(), error["message"].as_str())
        else {
            panic!("not a JSON-RPC error: {error}");
        };
        Self {
            code,
            message: message.to_owned(),
            data: error.get("data").cloned(),
        }
    }
}

impl fmt::Display for ErrorReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}

impl std::error::Error for ErrorReply {}

/// How a call ended.
///
/// [The guide](crate::guide::testing#a-call) says what an outcome tells.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum End {
    /// With a tool result, which may say `isError`.
    Result(Value),
    /// With a JSON-RPC error.
    Error(ErrorReply),
    /// Cancelled, without a result: a call that is no task is not answered any more, and a 2026-07-28 task ends
    /// without one.
    Cancelled,
    /// With a question the script never answers, on a wire where the call waits for the client to return.
    Unanswered,
}

/// What came of one call, whichever way it took.
///
/// What a client sees on the way depends on its kind, as the table in the crate's documentation says:
///
/// | | 2026-07-28 task | 2025-11-25 task | no task |
/// |---|---|---|---|
/// | `task`, `statuses` | yes; those that polling caught | yes; those that were notified | empty |
/// | `status_messages` | those that polling caught | those that were notified | empty |
/// | `progress` | empty: it is in the status message | yes | yes |
/// | `logs` | empty | if the client asked for them | if the client asked for them |
/// | `questions` | yes | yes | yes |
/// | `refused` | yes | empty | empty: 2026-07-28 asks again, older revisions tell the tool |
///
/// A task of the SEP-1686 draft shows its last state alone, and its progress as a call that is no task does.
///
/// A test that holds for every client looks at [`text`](Self::text), [`parsed`](Self::parsed),
/// [`is_error`](Self::is_error), [`was_cancelled`](Self::was_cancelled), [`reported`](Self::reported) and `questions`.
///
/// See [the guide](crate::guide::testing#a-call) for a test that looks at it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// Which client made the call.
    pub kind: ClientKind,
    /// How it ended.
    pub end: End,
    /// The task as the creating reply showed it, where there was one; of the SEP-1686 draft, as it was at the end.
    pub task: Option<Value>,
    /// Each status the task was seen in, in order, without repeats.
    pub statuses: Vec<String>,
    /// Each status message the task was seen with, in order, without repeats.
    pub status_messages: Vec<String>,
    /// What the tool asked.
    pub questions: Vec<Question>,
    /// Answers the server would not take.
    pub refused: Vec<ErrorReply>,
    /// The parameters of each progress notification for this call.
    pub progress: Vec<Value>,
    /// The parameters of each log message that came meanwhile.
    pub logs: Vec<Value>,
}

impl Outcome {
    pub(super) fn new(kind: ClientKind) -> Self {
        Self {
            kind,
            end: End::Unanswered,
            task: None,
            statuses: Vec::new(),
            status_messages: Vec::new(),
            questions: Vec::new(),
            refused: Vec::new(),
            progress: Vec::new(),
            logs: Vec::new(),
        }
    }

    /// The tool's result.
    ///
    /// # Panics
    /// If the call ended otherwise.
    #[track_caller]
    pub fn result(&self) -> &Value {
        match &self.end {
            End::Result(result) => result,
            End::Error(error) => panic!(
                "{}: the call ended without a result: {error}; `text` and `is_error` take either",
                self.kind
            ),
            other => panic!("{}: the call ended without a result: {other:?}", self.kind),
        }
    }

    /// The JSON-RPC error.
    ///
    /// # Panics
    /// If the call ended otherwise.
    #[track_caller]
    pub fn error(&self) -> &ErrorReply {
        match &self.end {
            End::Error(error) => error,
            other => panic!(
                "{}: the call ended without a JSON-RPC error: {other:?}",
                self.kind
            ),
        }
    }

    /// What there is to read: the result's text blocks, a newline between two, or the JSON-RPC error's message. Arguments
    /// that do not fit are told in the one or in the other, in the same words.
    ///
    /// # Panics
    /// If the call ended without either.
    #[track_caller]
    pub fn text(&self) -> String {
        if let End::Error(error) = &self.end {
            return error.message.clone();
        }
        let blocks = self.result()["content"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        let texts: Vec<&str> = blocks
            .iter()
            .filter_map(|block| block["text"].as_str())
            .collect();
        texts.join("\n")
    }

    /// The result's structured content, where it has any.
    ///
    /// # Panics
    /// If there is no result.
    #[track_caller]
    pub fn structured(&self) -> Option<&Value> {
        self.result().get("structuredContent")
    }

    /// What the tool returned as `Json<T>`: the result's structured content or, for 2025-03-26, which has none, the
    /// JSON in its text. A text of your own ([`Json::text`](crate::Json::text)) takes that JSON's place, and then clients of
    /// 2025-03-26 have nothing to parse. The `{"result": ..}` around a value that is no object is taken off.
    ///
    /// ```no_run
    /// # use mcp_tasks::testing::Client;
    /// # use serde_json::json;
    /// #[derive(serde::Deserialize)]
    /// struct Hits { total: u64 }
    /// # async fn test(mut client: Client) {
    /// let outcome = client.call("search", json!({ "query": "whale" })).await;
    /// assert_eq!(outcome.parsed::<Hits>().total, 3);
    /// # }
    /// ```
    ///
    /// # Panics
    /// If there is no result, or it holds no `T`.
    #[track_caller]
    pub fn parsed<T: DeserializeOwned>(&self) -> T {
        let value = match self.structured() {
            Some(structured) => structured.clone(),
            None => serde_json::from_str(&self.text()).unwrap_or_default(),
        };
        let inner = value.as_object().filter(|members| members.len() == 1);
        let inner = inner.and_then(|members| T::deserialize(members.get("result")?).ok());
        match inner.map_or_else(|| T::deserialize(&value), Ok) {
            Ok(parsed) => parsed,
            Err(error) if value.is_null() => panic!(
                "{}: there is neither structured content nor JSON in the text, as for 2025-03-26 where `Json` has a \
                 text of its own: {error}: {}",
                self.kind,
                self.result()
            ),
            Err(error) => panic!(
                "{}: the result holds something else: {error}: {}",
                self.kind,
                self.result()
            ),
        }
    }

    /// Whether a progress report or a status had this in its text, by whatever way this client hears of them. A client
    /// that polls its task may miss what another one follows.
    pub fn reported(&self, text: &str) -> bool {
        let progress = self.progress.iter();
        let messages = progress.filter_map(|params| params["message"].as_str());
        messages
            .chain(self.status_messages.iter().map(String::as_str))
            .any(|message| message.contains(text))
    }

    /// Whether the call failed: with a result that says `isError`, or with a JSON-RPC error.
    pub fn is_error(&self) -> bool {
        match &self.end {
            End::Result(result) => result["isError"] == true,
            End::Error(_) => true,
            End::Cancelled | End::Unanswered => false,
        }
    }

    /// Whether the call was cancelled, whatever it ended with: a cancelled 2025-11-25 task still has a result, which
    /// says so.
    pub fn was_cancelled(&self) -> bool {
        let last = self.statuses.last().map(String::as_str);
        self.end == End::Cancelled || last == Some("cancelled")
    }

    /// Whether the call ran as a task.
    pub fn was_task(&self) -> bool {
        self.task.is_some()
    }

    /// The task's id, where there was a task.
    pub fn task_id(&self) -> Option<&str> {
        self.task.as_ref().and_then(|task| task["taskId"].as_str())
    }

    /// Notes a task as some message showed it.
    pub(super) fn saw(&mut self, task: &Value) {
        note(&mut self.statuses, &task["status"]);
        note(&mut self.status_messages, &task["statusMessage"]);
    }
}

fn note(list: &mut Vec<String>, value: &Value) {
    if let Some(text) = value.as_str()
        && list.last().map(String::as_str) != Some(text)
    {
        list.push(text.to_owned());
    }
}
