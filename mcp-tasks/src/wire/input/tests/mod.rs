mod answers;
mod limits_of_a_revision;
mod questions;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{Revision, expressible, params, read};
use crate::model::form::{Field, Form, Format};
use crate::model::input::{Action, InputRequest, InputResponse};

const OLD: Revision = Revision::V2025_06_18;
const NEW: Revision = Revision::V2025_11_25;
const MODERN: Revision = Revision::V2026_07_28;

fn ask(form: Form) -> InputRequest {
    InputRequest::Form {
        message: "Well?".into(),
        form,
    }
}

fn url() -> InputRequest {
    InputRequest::Url {
        message: "Go".into(),
        url: "https://x.y/z".into(),
        elicitation_id: "e1".into(),
    }
}

fn sample(params: Value) -> InputRequest {
    match params {
        Value::Object(params) => InputRequest::Sample(params),
        other => panic!("{other} is not an object"),
    }
}

/// The text of a property's schema: order counts, since users read forms from top to bottom.
fn property(field: impl Into<Field>, revision: Revision) -> String {
    let params = params(&ask(Form::new().field(field)), revision).expect("a form has params");
    params["requestedSchema"]["properties"]["f"].to_string()
}

fn answer(ask: &InputRequest, answer: &Value) -> Result<InputResponse, String> {
    read(ask, &serde_json::value::to_raw_value(answer).expect("JSON"))
}

fn elicited(action: Action, content: Value) -> InputResponse {
    match content {
        Value::Object(content) => InputResponse::Elicit { action, content },
        other => panic!("{other} is not an object"),
    }
}
