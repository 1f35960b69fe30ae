//! A request, answered and asked again until something comes of it (2026-07-28 mrtr).

use std::time::Duration;

use serde_json::{Map, Value};

use super::questions::Open;
use super::{Driver, headers};
use crate::client::core::Ask;
use crate::client::error::ClientError;
use crate::model::error::RpcError;
use crate::wire::client::reply::Reply;
use crate::wire::client::task::Questions;

/// Rounds of questions before it is clear that they will never end.
const ROUNDS: u32 = 100;
/// How long to wait where the server asks nothing and wants to be asked again all the same.
const LATER: Duration = Duration::from_secs(1);

impl Driver {
    /// A result, or the task that the request has become.
    pub(super) async fn until_begun(&mut self, mut ask: Ask) -> Result<Reply, ClientError> {
        let cancel = self.cancel.clone();
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(self.cancelled()),
            begun = self.rounds(&mut ask) => begun,
        }
    }

    async fn rounds(&self, ask: &mut Ask) -> Result<Reply, ClientError> {
        for _ in 0..ROUNDS {
            match self.ask_with_headers(ask).await? {
                Reply::InputRequired { questions, state } => {
                    let answers = self.answer_all(questions).await?;
                    // What belonged to the round before does not belong to this one.
                    ask.params.remove("inputResponses");
                    ask.params.remove("requestState");
                    if !answers.is_empty() {
                        ask.params
                            .insert("inputResponses".to_owned(), answers.into());
                    }
                    if let Some(state) = state {
                        ask.params.insert("requestState".to_owned(), state.into());
                    }
                }
                begun => return Ok(begun),
            }
        }
        Err(self
            .core
            .broken(format!("{} has asked {ROUNDS} times", self.what)))
    }

    /// Asks once more where the headers did not fit: the tool's definition may have changed since it was listed.
    async fn ask_with_headers(&self, ask: &mut Ask) -> Result<Reply, ClientError> {
        let error = match self.core.ask(ask).await {
            Err(error)
                if error
                    .rpc()
                    .is_some_and(|rpc| rpc.code == RpcError::HEADER_MISMATCH) =>
            {
                error
            }
            answered => return answered,
        };
        let Some(name) = &self.tool else {
            return Err(error);
        };
        self.core.tools.forget();
        let tool = self.core.tool(name).await?;
        let empty = Map::new();
        let arguments = ask.params.get("arguments").and_then(Value::as_object);
        let fresh = headers(tool.as_ref(), arguments.unwrap_or(&empty));
        if fresh == ask.headers {
            return Err(error);
        }
        ask.headers = fresh;
        self.core.ask(ask).await
    }

    async fn answer_all(&self, questions: Questions) -> Result<Map<String, Value>, ClientError> {
        if questions.is_empty() {
            tokio::time::sleep(LATER).await;
        }
        let mut open = Open::default();
        let put = open.update(&self.core.router.handlers, &self.asker(None), questions);
        put.map_err(|why| self.unanswered(why))?;
        let mut answers = Map::new();
        while !open.is_empty() {
            let (key, answer) = open.next().await.map_err(|why| self.unanswered(why))?;
            answers.insert(key, answer);
        }
        Ok(answers)
    }

    pub(super) fn unanswered(&self, why: String) -> ClientError {
        ClientError::Question {
            what: self.what.clone(),
            why,
        }
    }
}
