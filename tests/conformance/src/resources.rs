//! Resources, which the framework does not serve by itself: an application answers their methods.

use mcp_tasks::prelude::*;
use mcp_tasks::{Embedded, MethodCall, RpcError};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::plain::PIXEL;

pub(crate) fn resources(server: Server) -> Server {
    server
        .capability("resources", json!({"subscribe": true}))
        .on_method("resources/list", list)
        .on_method("resources/templates/list", templates)
        .on_method("resources/read", read)
        .on_method("resources/subscribe", |_| async { Ok(json!({})) })
        .on_method("resources/unsubscribe", |_| async { Ok(json!({})) })
}

async fn list(_: MethodCall) -> Result<Value, RpcError> {
    let resource = |name: &str, mime_type: &str| {
        json!({
            "uri": format!("test://{name}"),
            "name": name,
            "description": "A resource for testing",
            "mimeType": mime_type,
        })
    };
    Ok(json!({"resources": [
        resource("static-text", "text/plain"),
        resource("static-binary", "image/png"),
        resource("watched-resource", "text/plain"),
    ]}))
}

async fn templates(_: MethodCall) -> Result<Value, RpcError> {
    Ok(json!({"resourceTemplates": [{
        "uriTemplate": "test://template/{id}/data",
        "name": "template",
        "description": "Data of whatever id is asked for",
        "mimeType": "application/json",
    }]}))
}

#[derive(Deserialize)]
struct Read {
    uri: String,
}

async fn read(call: MethodCall) -> Result<Value, RpcError> {
    let Read { uri } = call.params()?;
    let template = uri
        .strip_prefix("test://template/")
        .and_then(|rest| rest.strip_suffix("/data"));
    let resource = match (uri.as_str(), template) {
        ("test://static-text", _) => {
            Embedded::text(uri, "This is the content of the static text resource.")
                .mime_type("text/plain")
        }
        ("test://static-binary", _) => Embedded::blob(uri, PIXEL).mime_type("image/png"),
        ("test://watched-resource", _) => {
            Embedded::text(uri, "Watched resource content").mime_type("text/plain")
        }
        (_, Some(id)) => {
            let data = json!({"id": id, "templateTest": true}).to_string();
            Embedded::text(uri, data).mime_type("application/json")
        }
        (_, None) => {
            let error = RpcError::invalid_params("Resource not found");
            return Err(error.with_data(&json!({"uri": uri})));
        }
    };
    // A block of a result has its resource in the same form.
    let block = json!(Content::from(resource));
    Ok(json!({"contents": [block["resource"]]}))
}
