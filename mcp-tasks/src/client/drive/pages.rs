//! Pages that a server wants visited before it does what it is asked to: error -32042 (2025-11-25 elicitation).

use std::collections::HashSet;

use tokio::time::timeout;

use super::questions::Open;
use crate::client::completions::Completion;
use crate::client::core::Core;
use crate::client::dialect::Wire;
use crate::client::error::ClientError;
use crate::client::handlers::Asker;
use crate::model::error::RpcError;
use crate::wire::client::{Page, required_pages};

/// How often one request is made again.
const AGAIN: u32 = 10;

/// What came of the pages that one request has required by now.
#[derive(Default)]
pub(in crate::client) struct Pages {
    rounds: u32,
    /// Those that the user agreed to visit, and of which the server has not said that they are done.
    accepted: HashSet<String>,
}

impl Core {
    /// Has the user visit what `error` requires. With `Ok` the request may be made again; any other error comes back.
    pub(in crate::client) async fn visit(
        &self,
        error: ClientError,
        pages: &mut Pages,
        asker: &Asker,
    ) -> Result<(), ClientError> {
        let what = match &error {
            ClientError::Refused { what, error: rpc }
                if rpc.code == RpcError::URL_ELICITATION_REQUIRED
                    && self.shows_pages()
                    && pages.rounds < AGAIN =>
            {
                what
            }
            _ => return Err(error),
        };
        pages.rounds += 1;
        let required = error.rpc().map_or(Ok(Vec::new()), required_pages);
        let required = required.map_err(|why| {
            self.broken(format!("{what} requires pages that cannot be shown: {why}"))
        })?;
        // Before anybody is asked: the word that a page is done may come at any time from now on.
        let completions: Vec<_> = required
            .iter()
            .map(|page| self.router.completions.expect(&page.elicitation_id))
            .collect();
        self.put_pages(&required, what, pages, asker).await?;
        if !completions.iter().all(Completion::is_told) {
            let most = self.setup.completion;
            tracing::info!("waiting for the server's word that the page is done, {most:?} at most");
        }
        let done = async {
            for completion in &completions {
                completion.clone().told().await;
            }
        };
        if timeout(self.setup.completion, done).await.is_err() {
            tracing::debug!("{what} is made again without word of the pages that it requires");
        }
        for (page, completion) in required.iter().zip(&completions) {
            if completion.is_told() {
                pages.accepted.remove(&page.elicitation_id);
            }
        }
        Ok(())
    }

    fn shows_pages(&self) -> bool {
        self.router.handlers.url.is_some()
            && self
                .session()
                .is_ok_and(|session| session.wire == Wire::V2025_11_25)
    }

    /// Asks for a visit of each page that the user has not agreed to visit yet, all at the same time.
    async fn put_pages(
        &self,
        required: &[Page],
        what: &str,
        pages: &mut Pages,
        asker: &Asker,
    ) -> Result<(), ClientError> {
        let unanswered = |why| ClientError::Question {
            what: what.to_owned(),
            why,
        };
        let new = required
            .iter()
            .filter(|page| !pages.accepted.contains(&page.elicitation_id));
        let questions = new
            .map(|page| (page.elicitation_id.clone(), Ok(page.question())))
            .collect();
        let mut open = Open::default();
        open.update(&self.router, asker, questions)
            .map_err(unanswered)?;
        while !open.is_empty() {
            let (id, answer) = open.next().await.map_err(unanswered)?;
            if answer["action"] != "accept" {
                let page = required.iter().find(|page| page.elicitation_id == id);
                return Err(ClientError::Declined {
                    what: what.to_owned(),
                    message: page.map_or(String::new(), |page| page.message.clone()),
                    dismissed: answer["action"] == "cancel",
                });
            }
            pages.accepted.insert(id);
        }
        Ok(())
    }
}
