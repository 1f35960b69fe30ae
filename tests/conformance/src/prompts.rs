//! Prompts and completions, which the framework does not serve by itself: an application answers their methods.

use mcp_tasks::prelude::*;
use mcp_tasks::{Embedded, InputRequired, MethodCall, MethodResult, RpcError};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::plain::PIXEL;

pub(crate) fn prompts(server: Server) -> Server {
    server
        .capability("prompts", json!({}))
        .capability("completions", json!({}))
        .on_method("prompts/list", list)
        .on_method("prompts/get", get)
        .on_method("completion/complete", |_| async {
            Ok(json!({"completion": {"values": [], "total": 0, "hasMore": false}}))
        })
}

async fn list(_: MethodCall) -> Result<Value, RpcError> {
    let argument = |name: &str| json!({"name": name, "description": name, "required": true});
    Ok(json!({"prompts": [
        {"name": "test_simple_prompt", "description": "Says one thing"},
        {
            "name": "test_prompt_with_arguments",
            "description": "Repeats its arguments",
            "arguments": [argument("arg1"), argument("arg2")],
        },
        {
            "name": "test_prompt_with_embedded_resource",
            "description": "Shows a resource",
            "arguments": [argument("resourceUri")],
        },
        {"name": "test_prompt_with_image", "description": "Shows an image"},
        {"name": "test_input_required_result_prompt", "description": "Asks for a context first"},
    ]}))
}

#[derive(Deserialize)]
struct Get {
    name: String,
    #[serde(default)]
    arguments: Value,
}

#[derive(ElicitForm)]
struct UserContext {
    context: String,
}

async fn get(call: MethodCall) -> Result<MethodResult, RpcError> {
    let Get { name, arguments } = call.params()?;
    let argument = |name: &str| arguments[name].as_str().unwrap_or_default().to_owned();
    let messages = match name.as_str() {
        "test_simple_prompt" => vec![user("This is a simple prompt for testing.")],
        "test_prompt_with_arguments" => {
            let (arg1, arg2) = (argument("arg1"), argument("arg2"));
            let text = format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'");
            vec![user(text)]
        }
        "test_prompt_with_embedded_resource" => {
            let text = "Embedded resource content for testing.";
            let resource = Embedded::text(argument("resourceUri"), text).mime_type("text/plain");
            vec![user(resource), user("Please process the resource above.")]
        }
        "test_prompt_with_image" => {
            let image = Image::new(PIXEL, "image/png");
            vec![user(image), user("Please analyse the image above.")]
        }
        "test_input_required_result_prompt" => {
            let Some(answer) = call.elicited::<UserContext>("user_context")? else {
                let asked = InputRequired::new();
                let asked = asked.elicit::<UserContext>("user_context", "What is it about?");
                return Ok(asked.into());
            };
            let context = answer.accepted().map(|answer| answer.context);
            vec![user(format!("It is about {}", context.unwrap_or_default()))]
        }
        _ => return Err(RpcError::invalid_params(format!("Unknown prompt: {name}"))),
    };
    Ok(json!({"messages": messages}).into())
}

fn user(content: impl Into<Content>) -> Value {
    json!({"role": "user", "content": content.into()})
}
