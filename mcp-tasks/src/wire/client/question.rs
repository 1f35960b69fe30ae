//! Questions of the server's, and the answers to them.

use serde_json::{Value, json};

use super::Object;
use super::form;
use crate::model::error::RpcError;
use crate::model::input::{Action, InputRequest, InputResponse};

/// Reads a question; `Err` says why it cannot be put to anybody.
pub(crate) fn read(method: &str, params: &Object) -> Result<InputRequest, String> {
    let text = |key: &str| params.get(key).and_then(Value::as_str).map(str::to_owned);
    match method {
        "elicitation/create" => {
            let message = text("message").unwrap_or_default();
            match params.get("mode").and_then(Value::as_str) {
                None | Some("form") => {
                    let schema = params.get("requestedSchema").unwrap_or(&Value::Null);
                    let form = form::read(schema)?;
                    Ok(InputRequest::Form { message, form })
                }
                Some("url") => Ok(InputRequest::Url {
                    message,
                    url: text("url").ok_or("a question for a URL without `url`")?,
                    elicitation_id: text("elicitationId").unwrap_or_default(),
                }),
                Some(mode) => Err(format!("a question of the unknown mode `{mode}`")),
            }
        }
        "sampling/createMessage" => {
            let mut params = params.clone();
            params.remove("_meta");
            Ok(InputRequest::Sample(params))
        }
        "roots/list" => Ok(InputRequest::Roots),
        other => Err(format!("the unknown question `{other}`")),
    }
}

/// A page that must be visited before a request can be answered (2025-11-25).
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) elicitation_id: String,
    pub(crate) message: String,
    pub(crate) url: String,
}

impl Page {
    pub(crate) fn question(&self) -> InputRequest {
        InputRequest::Url {
            message: self.message.clone(),
            url: self.url.clone(),
            elicitation_id: self.elicitation_id.clone(),
        }
    }
}

/// The pages that an error -32042 lists; `Err` says why they cannot be shown. "Any elicitations returned in the error MUST
/// be URL mode elicitations and have an `elicitationId` property" (2025-11-25 elicitation).
pub(crate) fn required_pages(error: &RpcError) -> Result<Vec<Page>, String> {
    let data = error.data.as_ref().map_or("null", |data| data.get());
    let data: Value = serde_json::from_str(data).unwrap_or_default();
    let pages = data["elicitations"].as_array();
    let pages = pages.filter(|pages| !pages.is_empty());
    let pages = pages.ok_or("`data.elicitations` of the error is no list of them")?;
    pages.iter().map(page).collect()
}

fn page(elicitation: &Value) -> Result<Page, String> {
    let text = |key: &str| elicitation[key].as_str().map(str::to_owned);
    if elicitation["mode"] != "url" {
        let mode = &elicitation["mode"];
        return Err(format!("one is of the mode {mode}, and not a page"));
    }
    let id = text("elicitationId").filter(|id| !id.is_empty());
    Ok(Page {
        elicitation_id: id.ok_or("one has no `elicitationId`")?,
        message: text("message").unwrap_or_default(),
        url: text("url").ok_or("one has no `url`")?,
    })
}

/// The `ElicitResult`, `CreateMessageResult` or `ListRootsResult`.
pub(crate) fn answer(response: InputResponse) -> Value {
    match response {
        InputResponse::Elicit { action, content } => {
            let word = match action {
                Action::Accept => "accept",
                Action::Decline => "decline",
                Action::Cancel => "cancel",
            };
            let mut answer = json!({ "action": word });
            if action == Action::Accept && !content.is_empty() {
                answer["content"] = content.into();
            }
            answer
        }
        InputResponse::Sample(result) => result.into(),
        InputResponse::Roots(roots) => json!({ "roots": roots }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(json: &Value) -> Object {
        json.as_object().cloned().expect("an object")
    }

    #[test]
    fn a_question_without_a_mode_is_a_form() {
        let asked = params(&json!({ "message": "Name?", "requestedSchema": {
            "type": "object", "properties": { "name": { "type": "string" } },
        }}));
        let question = read("elicitation/create", &asked).expect("a form");
        assert!(matches!(question, InputRequest::Form { message, .. } if message == "Name?"));
    }

    #[test]
    fn a_url_needs_no_id_since_2026() {
        let asked =
            params(&json!({ "mode": "url", "message": "Sign in", "url": "https://x.test" }));
        assert!(matches!(
            read("elicitation/create", &asked),
            Ok(InputRequest::Url { url, .. }) if url == "https://x.test"
        ));
        let no_url = params(&json!({ "mode": "url", "message": "Sign in" }));
        assert!(read("elicitation/create", &no_url).is_err());
    }

    #[test]
    fn an_error_lists_the_pages_that_it_requires() {
        let error = RpcError::new(-32042, "sign in first").with_data(&json!({ "elicitations": [
            { "mode": "url", "elicitationId": "a", "url": "https://x.test", "message": "Sign in" },
            { "mode": "url", "elicitationId": "b", "url": "https://y.test" },
        ]}));
        let pages = required_pages(&error).expect("pages");
        let pages: Vec<_> = pages
            .iter()
            .map(|page| (&*page.elicitation_id, &*page.url, &*page.message))
            .collect();
        assert_eq!(
            pages,
            [
                ("a", "https://x.test", "Sign in"),
                ("b", "https://y.test", "")
            ]
        );
    }

    #[test]
    fn an_error_that_lists_no_pages_says_what_it_has_instead() {
        let with = |data: Value| RpcError::new(-32042, "no").with_data(&data);
        let listed = |page: Value| with(json!({ "elicitations": [page] }));
        for (error, why) in [
            (RpcError::new(-32042, "no"), "no list"),
            (with(json!({})), "no list"),
            (with(json!({ "elicitations": [] })), "no list"),
            (with(json!({ "elicitations": {} })), "no list"),
            (listed(json!(7)), "mode"),
            (
                listed(json!({ "mode": "form", "elicitationId": "a", "url": "u" })),
                "mode",
            ),
            (
                listed(json!({ "mode": "url", "url": "u" })),
                "elicitationId",
            ),
            (
                listed(json!({ "mode": "url", "elicitationId": "", "url": "u" })),
                "elicitationId",
            ),
            (
                listed(json!({ "mode": "url", "elicitationId": "a" })),
                "`url`",
            ),
        ] {
            let said = required_pages(&error).unwrap_err();
            assert!(said.contains(why), "{error:?}: {said}");
        }
    }

    #[test]
    fn an_unknown_mode_or_method_says_so() {
        let asked = params(&json!({ "mode": "hologram" }));
        assert!(
            read("elicitation/create", &asked)
                .unwrap_err()
                .contains("hologram")
        );
        assert!(
            read("dance/tango", &Object::new())
                .unwrap_err()
                .contains("dance/tango")
        );
    }

    #[test]
    fn content_goes_with_an_accepted_form_alone() {
        let content = params(&json!({ "name": "Ada" }));
        let accepted = InputResponse::Elicit {
            action: Action::Accept,
            content: content.clone(),
        };
        assert_eq!(
            answer(accepted),
            json!({ "action": "accept", "content": { "name": "Ada" } })
        );
        let declined = InputResponse::Elicit {
            action: Action::Decline,
            content,
        };
        assert_eq!(answer(declined), json!({ "action": "decline" }));
    }
}
