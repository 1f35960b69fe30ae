//! What came of each feature.

use std::fmt::Debug;
use std::time::Duration;

use mcp_tasks::client::ClientError;
use serde_json::json;

/// How long a check may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// What came of a check that did not fail.
pub(crate) enum Outcome {
    Yes,
    /// It works, with something to be said about it.
    With(&'static str),
    /// The server does something else, which the client copes with.
    No(&'static str),
    /// It has no place in this revision or on this transport, which the text explains.
    NothingToTry(&'static str),
}

/// Why a check failed.
#[derive(Debug)]
pub(crate) struct Failed(pub(crate) String);

impl From<ClientError> for Failed {
    fn from(error: ClientError) -> Self {
        Self(error.to_string())
    }
}

pub(crate) struct Report;

impl Report {
    pub(crate) fn begin(name: &str, version: &str, transport: &str, wire: &str) -> Self {
        println!(
            "{}",
            json!({ "peer": name, "version": version, "transport": transport, "wire": wire })
        );
        Self
    }

    pub(crate) async fn tell(
        &mut self,
        feature: &str,
        check: impl Future<Output = Result<Outcome, Failed>>,
    ) {
        let outcome = tokio::time::timeout(PATIENCE, check).await;
        let (outcome, note) = match outcome {
            Ok(Ok(Outcome::Yes)) => ("yes", None),
            Ok(Ok(Outcome::With(note))) => ("yes", Some(note.to_owned())),
            Ok(Ok(Outcome::No(why))) => ("no", Some(why.to_owned())),
            Ok(Ok(Outcome::NothingToTry(why))) => ("nothing to try", Some(why.to_owned())),
            Ok(Err(Failed(why))) => ("failed", Some(why)),
            Err(_) => ("failed", Some("took more than a minute".to_owned())),
        };
        println!(
            "{}",
            json!({ "feature": feature, "outcome": outcome, "note": note })
        );
    }
}

/// Fails unless both are the same.
#[expect(
    clippy::needless_pass_by_value,
    reason = "reads as `assert_eq!` does, whose arguments are often made on the spot"
)]
pub(crate) fn expect<T: PartialEq<U> + Debug, U: Debug>(found: T, wanted: U) -> Result<(), Failed> {
    if found == wanted {
        return Ok(());
    }
    Err(Failed(format!("expected {wanted:?}, found {found:?}")))
}
