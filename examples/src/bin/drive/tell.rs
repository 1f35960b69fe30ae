//! What happens, for people to read.

use serde_json::Value;

/// A heading.
pub(crate) fn title(text: &str) {
    println!("\n== {text}");
}

/// One step.
pub(crate) fn line(step: &str, text: &str) {
    println!("{step:>14}  {text}");
}

/// A task's state, with its message if it has one.
pub(crate) fn state(task: &Value) {
    line("task", &state_of(task));
}

fn state_of(task: &Value) -> String {
    let status = task["status"].as_str().unwrap_or("?");
    match task["statusMessage"].as_str() {
        Some(message) => format!("{status}: {message}"),
        None => status.to_owned(),
    }
}

/// A form, with its fields.
pub(crate) fn question(request: &Value) {
    let params = &request["params"];
    line("question", params["message"].as_str().unwrap_or("?"));
    for (name, field) in params["requestedSchema"]["properties"]
        .as_object()
        .into_iter()
        .flatten()
    {
        let (kind, about) = (field["type"].as_str(), field["description"].as_str());
        let (kind, about) = (kind.unwrap_or("?"), about.unwrap_or_default());
        line("", &format!("{name} ({kind}) {about}"));
    }
}

/// The text of a tool's result.
pub(crate) fn result(result: &Value) {
    let text = result["content"][0]["text"].as_str().unwrap_or("?");
    for (at, text) in text.lines().enumerate() {
        line(if at == 0 { "result" } else { "" }, text);
    }
}

/// A message that wants no answer.
pub(crate) fn notification(message: &Value) {
    let params = &message["params"];
    match message["method"].as_str() {
        Some("notifications/progress") => {
            let text = params["message"].as_str().unwrap_or_default();
            line(
                "progress",
                &format!("{} of {}: {text}", params["progress"], params["total"]),
            );
        }
        Some("notifications/tasks/status") => line("notified", &state_of(params)),
        Some(method) => line("notified", method),
        None => {}
    }
}
