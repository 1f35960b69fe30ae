//! Questions of a call or a task, each put to its handler once, all at the same time.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde_json::Value;
use tokio::task::{AbortHandle, JoinSet};

use crate::client::handlers::Asker;
use crate::client::router::Router;
use crate::wire::client::answer;
use crate::wire::client::task::Questions;

/// Dropped, it withdraws what is not answered.
#[derive(Default)]
pub(super) struct Open {
    /// Every key that was ever put: none means two questions.
    asked: HashSet<String>,
    waiting: HashMap<String, AbortHandle>,
    answering: JoinSet<(String, Result<Value, String>)>,
}

impl Open {
    /// Puts what is new, and withdraws what the server no longer waits for. `Err` says what cannot be put.
    pub(super) fn update(
        &mut self,
        router: &Arc<Router>,
        asker: &Asker,
        questions: Questions,
    ) -> Result<(), String> {
        self.waiting.retain(|key, answering| {
            let still = questions.iter().any(|(other, _)| other == key);
            if !still {
                answering.abort();
            }
            still
        });
        for (key, question) in questions {
            if !self.asked.insert(key.clone()) {
                continue;
            }
            let question = question?;
            let (router, asker) = (Arc::clone(router), asker.clone());
            let answering = self.answering.spawn({
                let key = key.clone();
                async move {
                    let answered = router.answer(asker, question).await;
                    (key, answered.map(answer).map_err(|why| why.to_string()))
                }
            });
            self.waiting.insert(key, answering);
        }
        Ok(())
    }

    /// Whether all that was put is answered.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The next answer by its key; never where nothing is open.
    pub(super) async fn next(&mut self) -> Result<(String, Value), String> {
        loop {
            match self.answering.join_next().await {
                Some(Ok((key, answer))) => {
                    self.waiting.remove(&key);
                    return answer.map(|answer| (key, answer));
                }
                Some(Err(error)) if error.is_panic() => {
                    return Err("its handler panicked".to_owned());
                }
                Some(Err(_)) => {}
                None => std::future::pending().await,
            }
        }
    }
}
