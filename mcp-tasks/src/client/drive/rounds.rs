//! A request, answered and asked again until something comes of it (2026-07-28 mrtr).

use std::time::Duration;

use serde_json::{Map, Value};

use super::Driver;
use super::questions::Open;
use super::start::headers;
use crate::client::core::{Ask, Core};
use crate::client::error::ClientError;
use crate::client::handlers::Asker;
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
        let asker = self.asker(None);
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(self.cancelled()),
            begun = self.core.ask_in_rounds(&mut ask, &asker) => begun,
        }
    }

    pub(super) fn unanswered(&self, why: String) -> ClientError {
        ClientError::Question {
            what: self.what.clone(),
            why,
        }
    }
}

impl Core {
    /// Asks until there is an answer, and has the handlers answer what is asked in between.
    pub(in crate::client) async fn ask_in_rounds(
        &self,
        ask: &mut Ask,
        asker: &Asker,
    ) -> Result<Reply, ClientError> {
        for _ in 0..ROUNDS {
            match self.ask_with_headers(ask, asker).await? {
                Reply::InputRequired { questions, state } => {
                    let answers = self.answer_all(questions, asker).await;
                    let answers = answers.map_err(|why| ClientError::Question {
                        what: ask.what.clone(),
                        why,
                    })?;
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
        Err(self.broken(format!("{} has asked {ROUNDS} times", ask.what)))
    }

    /// Asks once more where the headers did not fit: the tool's definition may have changed since it was listed.
    async fn ask_with_headers(&self, ask: &mut Ask, asker: &Asker) -> Result<Reply, ClientError> {
        let error = match self.ask(ask).await {
            Err(error)
                if error
                    .rpc()
                    .is_some_and(|rpc| rpc.code == RpcError::HEADER_MISMATCH) =>
            {
                error
            }
            answered => return answered,
        };
        let Some(name) = &asker.tool else {
            return Err(error);
        };
        self.tools.forget();
        let tool = self.tool(name).await?;
        let empty = Map::new();
        let arguments = ask.params.get("arguments").and_then(Value::as_object);
        let fresh = headers(tool.as_ref(), arguments.unwrap_or(&empty));
        if fresh == ask.headers {
            return Err(error);
        }
        ask.headers = fresh;
        self.ask(ask).await
    }

    async fn answer_all(
        &self,
        questions: Questions,
        asker: &Asker,
    ) -> Result<Map<String, Value>, String> {
        if questions.is_empty() {
            tokio::time::sleep(LATER).await;
        }
        let mut open = Open::default();
        open.update(&self.router, asker, questions)?;
        let mut answers = Map::new();
        while !open.is_empty() {
            let (key, answer) = open.next().await?;
            answers.insert(key, answer);
        }
        Ok(answers)
    }
}
