//! Questions of the server's, and the answers to them.

use serde_json::{Value, json};

use super::Object;
use super::form;
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
