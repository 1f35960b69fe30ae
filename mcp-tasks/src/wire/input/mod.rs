//! Questions as JSON, and answers from it.
//!
//! `schema` renders a form's `requestedSchema`, `answer` reads what came back.

mod answer;
mod schema;

#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

pub(crate) use self::answer::read;
use super::Revision;
use crate::model::form::Kind;
use crate::model::input::InputRequest;

/// The `params` of a question (`None` for `roots/list`, which has none), fit for `revision`.
///
/// What a revision has no way to say is for [`expressible`] to refuse before.
pub(crate) fn params(ask: &InputRequest, revision: Revision) -> Option<Map<String, Value>> {
    let mut params = Map::new();
    match ask {
        InputRequest::Form { message, form } => {
            if has_modes(revision) {
                params.insert("mode".into(), "form".into());
            }
            params.insert("message".into(), message.as_str().into());
            params.insert("requestedSchema".into(), schema::of(form, revision));
        }
        InputRequest::Url {
            message,
            url,
            elicitation_id,
        } => {
            params.insert("mode".into(), "url".into());
            params.insert("message".into(), message.as_str().into());
            params.insert("url".into(), url.as_str().into());
            // 2026-07-28 dropped the id together with `notifications/elicitation/complete`.
            if revision == Revision::V2025_11_25 {
                params.insert("elicitationId".into(), elicitation_id.as_str().into());
            }
        }
        InputRequest::Sample(sample) => params.clone_from(sample),
        InputRequest::Roots => return None,
    }
    Some(params)
}

/// Whether `revision` can put this question, and a client could show it; `Err` says what stands against it.
pub(crate) fn expressible(ask: &InputRequest, revision: Revision) -> Result<(), String> {
    match ask {
        InputRequest::Form { .. } if revision < Revision::V2025_06_18 => Err(lacks(
            revision,
            "questions to the user",
            Revision::V2025_06_18,
        )),
        InputRequest::Form { form, .. } => {
            form.validate()?;
            let list = form
                .fields()
                .iter()
                .find(|field| matches!(field.kind, Kind::Choices(_)));
            match list {
                Some(field) if !has_modes(revision) => {
                    let what = format!("fields with several choices, like `{}`", field.name);
                    Err(lacks(revision, &what, Revision::V2025_11_25))
                }
                _ => Ok(()),
            }
        }
        InputRequest::Url { .. } if !has_modes(revision) => {
            Err(lacks(revision, "URLs as questions", Revision::V2025_11_25))
        }
        InputRequest::Sample(sample) if !has_modes(revision) && sample.contains_key("tools") => {
            Err(lacks(revision, "tools in sampling", Revision::V2025_11_25))
        }
        InputRequest::Url { .. } | InputRequest::Sample(_) | InputRequest::Roots => Ok(()),
    }
}

/// 2025-11-25 brought `mode`, and with it URLs, defaults, titled and multiple choices (SEP-1036, 1034, 1330).
fn has_modes(revision: Revision) -> bool {
    revision >= Revision::V2025_11_25
}

fn lacks(revision: Revision, what: &str, since: Revision) -> String {
    format!(
        "the client speaks {}, which has no {what}; they came with {}",
        revision.as_str(),
        since.as_str()
    )
}
