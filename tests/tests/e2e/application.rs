//! Methods that the application answers: prompts, resources and whatever else it has.

use mcp_tasks::prelude::*;
use mcp_tasks::testing::{ClientKind, every_client};
use mcp_tasks::{Capability, InputRequired, MethodCall, MethodResult, RpcError};
use serde::Deserialize;
use serde_json::{Value, json};
use tests::session::{CLIENT_CAPABILITIES, Session, accepted};
use tests::tools::add;

use ClientKind::{TasksExtension, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};

const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// Whom to greet.
#[derive(ElicitForm)]
struct Name {
    name: String,
}

fn server() -> Server {
    Server::new("app")
        .tools(tools![add])
        .capability("prompts", json!({}))
        .capability("resources", json!({ "subscribe": true }))
        .on_method("prompts/list", |_| async {
            Ok(json!({ "prompts": [{ "name": "greet", "description": "Greets." }] }))
        })
        .on_method("prompts/get", get_prompt)
        .on_method("resources/read", read)
        .on_method("resources/subscribe", |_| async { Ok(Value::Null) })
        .on_method("app/caller", |call: MethodCall| async move {
            let caller = call.caller();
            Ok(json!({
                "revision": caller.revision(),
                "elicits": caller.supports(Capability::Elicitation),
                "anonymous": caller.principal().is_none(),
                "params": call.params::<Value>()?["x"],
            }))
        })
        .on_method("app/ask", |_| async {
            Ok(InputRequired::new().roots("roots"))
        })
        .on_method("app/list", |_| async { Ok(json!([1])) })
        .on_method("app/panic", |call: MethodCall| async move {
            assert_ne!(call.method(), "app/panic", "secret-7");
            Ok(Value::Null)
        })
        .on_method("app/never", |_| {
            std::future::pending::<Result<Value, RpcError>>()
        })
}

/// Asks for whom before it greets.
async fn get_prompt(call: MethodCall) -> Result<MethodResult, RpcError> {
    #[derive(Deserialize)]
    struct Get {
        name: String,
    }
    let Get { name } = call.params()?;
    if name != "greet" {
        return Err(RpcError::invalid_params("Unknown prompt").with_data(&json!({ "name": name })));
    }
    let whom = match call.elicited::<Name>("user_name")? {
        Some(answer) => answer.accepted(),
        None if call.caller().is_modern() => {
            let asked = InputRequired::new()
                .elicit::<Name>("user_name", "Who?")
                .state("round-1");
            return Ok(asked.into());
        }
        None => None,
    };
    let whom = whom.map_or_else(|| "nobody".to_owned(), |Name { name }| name);
    let text = format!("Hello, {whom} ({})", call.request_state().unwrap_or("-"));
    let message = json!({ "role": "user", "content": { "type": "text", "text": text } });
    Ok(json!({ "messages": [message] }).into())
}

async fn read(call: MethodCall) -> Result<Value, RpcError> {
    let uri = call.params::<Value>()?["uri"].clone();
    Ok(
        json!({ "contents": [{ "uri": uri, "text": "Buy milk." }], "ttlMs": 5, "_meta": { "a": 1 } }),
    )
}

async fn ask_the_prompt(
    client: &mut Session,
    more: Value,
) -> Result<Value, mcp_tasks::testing::ErrorReply> {
    let mut params = json!({ "name": "greet" });
    if let Value::Object(more) = more {
        params.as_object_mut().unwrap().extend(more);
    }
    client.request("prompts/get", params).await
}

fn prompt_text(result: &Value) -> &Value {
    &result["messages"][0]["content"]["text"]
}

#[tokio::test(start_paused = true)]
async fn what_it_declares_is_declared_in_every_era() {
    for kind in every_client() {
        let mut client = Session::open(&server(), kind).await;
        let told = if kind.is_modern() {
            client.request("server/discover", json!({})).await.unwrap()
        } else {
            client.initialize_result().unwrap().clone()
        };
        let capabilities = &told["capabilities"];
        assert_eq!(capabilities["prompts"], json!({}), "{kind}");
        assert_eq!(
            capabilities["resources"],
            json!({ "subscribe": true }),
            "{kind}"
        );
        assert!(capabilities["tools"].is_object(), "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_result_is_wrapped_as_the_caller_s_revision_wants_it() {
    for kind in every_client() {
        let mut client = Session::open(&server(), kind).await;
        let list = client.request("prompts/list", json!({})).await.unwrap();
        assert_eq!(list["prompts"][0]["name"], "greet", "{kind}");
        let params = json!({ "uri": "note://1" });
        let read = client.request("resources/read", params).await.unwrap();
        assert_eq!(read["contents"][0]["uri"], "note://1", "{kind}");
        assert_eq!(read["_meta"]["a"], 1, "{kind}");
        if kind.is_modern() {
            assert_eq!(
                (&list["ttlMs"], &list["cacheScope"]),
                (&json!(0), &json!("private"))
            );
            assert_eq!(
                (&read["ttlMs"], &read["cacheScope"]),
                (&json!(5), &json!("private"))
            );
            assert_eq!(read["_meta"][SERVER_INFO]["name"], "app");
        } else {
            assert_eq!(list.as_object().unwrap().len(), 1, "{kind}: {list}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_handler_learns_who_calls_and_with_what() {
    for kind in every_client() {
        let mut client = Session::open(&server(), kind).await;
        let told = client
            .request("app/caller", json!({ "x": [1, { "y": 2 }] }))
            .await
            .unwrap();
        assert_eq!(told["revision"], kind.revision());
        assert_eq!(told["elicits"], kind != V2025_03_26, "{kind}");
        assert_eq!(told["anonymous"], true);
        assert_eq!(told["params"], json!([1, { "y": 2 }]));
    }
    let mut client = Session::open(&server(), V2025_06_18).await;
    let told = client.request("app/caller", Value::Null).await.unwrap();
    assert_eq!(
        told["params"],
        Value::Null,
        "no parameters are an empty object"
    );
}

#[tokio::test(start_paused = true)]
async fn its_errors_are_its_own() {
    for kind in every_client() {
        let mut client = Session::open(&server(), kind).await;
        let error = client
            .request("prompts/get", json!({ "name": "x" }))
            .await
            .unwrap_err();
        assert_eq!(
            (error.code, &*error.message),
            (-32602, "Unknown prompt"),
            "{kind}"
        );
        assert_eq!(error.data, Some(json!({ "name": "x" })), "{kind}");
        let error = client
            .request("prompts/get", json!({ "name": 7 }))
            .await
            .unwrap_err();
        assert_eq!(error.code, -32602, "{kind}: {}", error.message);
    }
}

#[tokio::test(start_paused = true)]
async fn a_prompt_may_ask_before_it_answers() {
    for kind in [TasksExtension, V2026_07_28] {
        let mut client = Session::open(&server(), kind).await;
        let asked = ask_the_prompt(&mut client, Value::Null).await.unwrap();
        assert_eq!(asked["resultType"], "input_required");
        assert_eq!(
            asked["inputRequests"]["user_name"]["method"],
            "elicitation/create"
        );
        assert_eq!(asked["requestState"], "round-1");
        assert_eq!(asked.get("ttlMs"), None);
        let answers = json!({ "user_name": accepted(json!({ "name": "Ada" })) });
        let retry = json!({ "inputResponses": answers, "requestState": "round-1" });
        let result = ask_the_prompt(&mut client, retry).await.unwrap();
        assert_eq!(prompt_text(&result), "Hello, Ada (round-1)");
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_does_not_fit_is_refused() {
    let mut client = Session::open(&server(), V2026_07_28).await;
    for answer in [json!(7), accepted(json!({ "name": 7 }))] {
        let params = json!({ "inputResponses": { "user_name": answer } });
        let error = ask_the_prompt(&mut client, params).await.unwrap_err();
        assert_eq!(error.code, -32602);
    }
}

#[tokio::test(start_paused = true)]
async fn who_cannot_be_asked_is_told_what_is_missing() {
    let mut client = Session::open(&server(), V2026_07_28).await;
    let meta = json!({ "_meta": { CLIENT_CAPABILITIES: {} } });
    let error = ask_the_prompt(&mut client, meta).await.unwrap_err();
    assert_eq!(error.code, -32021);
    let mut client = Session::open(&server(), V2025_11_25).await;
    let result = ask_the_prompt(&mut client, Value::Null).await.unwrap();
    assert_eq!(prompt_text(&result), "Hello, nobody (-)");
}

#[tokio::test(start_paused = true)]
async fn only_prompts_and_resources_may_ask() {
    for kind in every_client() {
        let mut client = Session::open(&server(), kind).await;
        let error = client.request("app/ask", json!({})).await.unwrap_err();
        assert_eq!(error.code, -32603, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_handler_s_mistake_is_its_caller_s_error_and_nothing_more() {
    for kind in every_client() {
        let mut client = Session::open(&server(), kind).await;
        for method in ["app/list", "app/panic"] {
            let error = client.request(method, json!({})).await.unwrap_err();
            assert_eq!(error.code, -32603, "{kind}: {method}");
            assert!(!error.message.contains("secret"), "{}", error.message);
        }
        let sum = client.call("add", json!({ "a": 1, "b": 2 })).await;
        assert_eq!(sum.text(), "3", "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_revision_removed_is_unknown_there() {
    for kind in every_client() {
        let mut client = Session::open(&server(), kind).await;
        let params = json!({ "uri": "note://1" });
        let answer = client.request("resources/subscribe", params).await;
        if kind.is_modern() {
            assert_eq!(answer.unwrap_err().code, -32601, "{kind}");
        } else {
            assert_eq!(answer.unwrap(), json!({}), "{kind}");
        }
    }
}

/// With methods of the application's own, and without any.
#[tokio::test(start_paused = true)]
async fn a_method_is_unknown_before_its_parameters_are_looked_at() {
    for server in [server(), Server::new("plain").tools(tools![add])] {
        for kind in every_client() {
            let mut client = Session::open(&server, kind).await;
            let params = json!({ "inputResponses": "none" });
            let answer = client.request("app/unknown", params).await;
            assert_eq!(answer.unwrap_err().code, -32601, "{kind}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_request_gets_no_response_and_its_handler_is_dropped() {
    for kind in every_client() {
        let mut client = Session::open(&server(), kind).await;
        let id = client.start("app/never", json!({})).await;
        client
            .notify("notifications/cancelled", json!({ "requestId": id }))
            .await;
        assert_eq!(client.leftovers().await, Vec::<Value>::new(), "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_closes_answers_what_is_open() {
    let mut client = Session::open(&server(), V2026_07_28).await;
    let id = client.start("app/never", json!({})).await;
    client.finish().await.unwrap();
    assert_eq!(client.response(&id).await.unwrap_err().code, -32603);
}

#[test]
fn what_cannot_be_served_so_is_an_error_at_start() {
    let nothing = |_: MethodCall| async { Ok(Value::Null) };
    let server = Server::new("app")
        .capability("tools", json!({}))
        .capability("completions", json!(true))
        .capability("extensions", json!({ "io.modelcontextprotocol/tasks": {} }))
        .on_method("tools/list", nothing)
        .on_method("tasks/result", nothing)
        .on_method("ping", nothing)
        .on_method("prompts/list", nothing)
        .on_method("app/x", nothing)
        .on_method("app/x", nothing);
    let text = server.check().unwrap_err().to_string();
    for part in [
        "`on_method` is given `app/x` twice",
        "`on_method` names `ping`, which the server answers by itself",
        "`on_method` names `tools/list`",
        "`on_method` names `tasks/result`",
        "`prompts/list` is answered but not declared: add `.capability(\"prompts\", json!({}))`",
        "`capability` names `tools`, which the server declares by itself",
        "the capability `completions` must be an object",
        "the extension `io.modelcontextprotocol/tasks`",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}
