//! Finding out what a server speaks.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::script::{Script, ada, code, discovery, initialized};
use crate::client::{Answer, Client, ClientError, Root, UrlQuestion, Wire};

#[tokio::test(start_paused = true)]
async fn a_server_that_discovers_itself_is_spoken_to_in_2026() {
    let (client, _script) = Script::modern(Client::builder()).await;
    assert_eq!(client.wire(), Wire::V2026_07_28);
    assert_eq!(client.server().name, "scripted");
}

#[tokio::test(start_paused = true)]
async fn any_other_answer_means_a_server_of_before() {
    for answer in [
        json!({ "error": { "code": -32601, "message": "Method not found" } }),
        json!({ "error": { "code": -32600, "message": "not initialized" } }),
        json!({ "error": { "code": -32022, "message": "no", "data": { "supported": ["2025-11-25"] } } }),
        json!({ "error": { "code": -32022, "message": "a number that means nothing yet" } }),
        json!({ "error": { "code": -32602, "message": "Invalid request parameters" } }),
        json!({ "error": { "code": -32603, "message": "no such handler" } }),
        json!({ "error": { "code": -32000, "message": "Bad Request: Server not initialized" } }),
        json!({ "error": "no" }),
        json!({ "result": {} }),
        json!({ "result": null }),
        json!({ "result": ["2026-07-28"] }),
        json!({ "result": "2026-07-28" }),
        json!({ "result": { "supportedVersions": "2026-07-28" } }),
        json!({ "result": { "protocolVersion": "2025-06-18", "capabilities": {} } }),
        json!({ "result": { "supportedVersions": ["2025-06-18"] } }),
    ] {
        let (endpoint, mut script) = Script::new();
        let serve = async {
            let discover = script.expect("server/discover").await;
            match answer.get("error") {
                Some(error) => script.refuse_with(&discover, error.clone()).await,
                None => script.reply(&discover, answer["result"].clone()).await,
            }
            let hello = script.expect("initialize").await;
            assert_eq!(hello["params"]["protocolVersion"], "2025-11-25");
            script
                .reply(&hello, initialized(&json!("2025-06-18"), json!({})))
                .await;
            script.expect("notifications/initialized").await;
        };
        let (client, ()) = tokio::join!(Client::connect(endpoint), serve);
        assert_eq!(
            client.expect("a connection").wire(),
            Wire::V2025_06_18,
            "{answer}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_answers_discovery_is_one_of_before() {
    let (endpoint, mut script) = Script::new();
    let began = Instant::now();
    let serve = async {
        script.expect("server/discover").await;
        script.welcome("2025-11-25").await;
        assert_eq!(began.elapsed(), Duration::from_secs(5));
    };
    let (client, ()) = tokio::join!(Client::connect(endpoint), serve);
    assert_eq!(client.expect("a connection").wire(), Wire::V2025_11_25);
}

#[tokio::test(start_paused = true)]
async fn what_is_no_answer_to_discovery_is_waited_out() {
    let (endpoint, mut script) = Script::new();
    let serve = async {
        script
            .write("usage: server [--port N]\n{\"jsonrpc\":\"2.0\"}\n")
            .await;
        script.expect("server/discover").await;
        script
            .write("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"what?\"}}\n")
            .await;
        script
            .write("{\"jsonrpc\":\"2.0\",\"id\":77,\"result\":{\"supportedVersions\":[\"2026-07-28\"]}}\n")
            .await;
        script.welcome("2025-03-26").await;
    };
    let (client, ()) = tokio::join!(Client::connect(endpoint), serve);
    assert_eq!(client.expect("a connection").wire(), Wire::V2025_03_26);
}

#[tokio::test(start_paused = true)]
async fn what_only_a_modern_server_says_is_no_reason_to_speak_as_before() {
    for refusal in [-32020, -32021] {
        let (endpoint, mut script) = Script::new();
        let serve = async {
            let discover = script.expect("server/discover").await;
            script.refuse(&discover, refusal, "no").await;
        };
        let (client, ()) = tokio::join!(Client::connect(endpoint), serve);
        assert_eq!(code(client), refusal);
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_of_revisions_nobody_knows_yet_is_told_apart_from_one_of_before() {
    let newer = json!({ "supportedVersions": ["2031-01-01", "2030-01-01"] });
    let refusal =
        json!({ "code": -32022, "message": "no", "data": { "supported": ["2031-01-01"] } });
    let none = json!({ "code": -32022, "message": "no", "data": { "supported": [] } });
    for (answer, named) in [
        (json!({ "result": newer }), "2031-01-01, 2030-01-01"),
        (json!({ "error": refusal }), "2031-01-01"),
        (json!({ "error": none }), "no revision"),
    ] {
        let (endpoint, mut script) = Script::new();
        let serve = async {
            let discover = script.expect("server/discover").await;
            match answer.get("error") {
                Some(error) => script.refuse_with(&discover, error.clone()).await,
                None => script.reply(&discover, answer["result"].clone()).await,
            }
        };
        let (client, ()) = tokio::join!(Client::connect(endpoint), serve);
        let error = client.expect_err("no connection");
        assert!(matches!(error, ClientError::Unsupported(_)), "{error:?}");
        assert!(error.to_string().contains(named), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_refuses_every_greeting_is_asked_each_once() {
    let (endpoint, mut script) = Script::new();
    let serve = async {
        for greeting in ["server/discover", "initialize"] {
            let asked = script.expect(greeting).await;
            script.refuse(&asked, -32601, "Method not found").await;
        }
    };
    let (client, ()) = tokio::join!(Client::connect(endpoint), serve);
    assert_eq!(code(client), -32601);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_goes_at_the_first_greeting_is_not_greeted_again() {
    let (endpoint, mut script) = Script::new();
    let serve = async {
        script.expect("server/discover").await;
        drop(script);
    };
    let (client, ()) = tokio::join!(Client::connect(endpoint), serve);
    let error = client.expect_err("no connection");
    assert!(matches!(error, ClientError::Unanswered { .. }), "{error:?}");
    assert_eq!(
        error.to_string(),
        "the server did not answer the client's greeting: it closed its output"
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_that_says_nothing_is_told_from_one_that_is_gone() {
    let (endpoint, _silent) = Script::new();
    let connected = Client::builder()
        .handshake_timeout(Duration::from_secs(7))
        .connect(endpoint)
        .await;
    let error = connected.expect_err("no connection");
    assert_eq!(
        error.to_string(),
        "the server did not answer the client's greeting: nothing came within 7s"
    );
}

#[tokio::test(start_paused = true)]
async fn the_era_is_found_once() {
    for modern in [true, false] {
        let (endpoint, mut script) = Script::new();
        let greet = async {
            let discover = script.expect("server/discover").await;
            if modern {
                return script.reply(&discover, discovery()).await;
            }
            script.refuse(&discover, -32601, "Method not found").await;
            script.welcome("2025-11-25").await;
        };
        let (client, ()) = tokio::join!(Client::connect(endpoint), greet);
        let client = client.expect("a connection");
        for _ in 0..3 {
            let serve = async {
                let request = script.expect("prompts/list").await;
                // Each era knows its requests by their metadata.
                assert_eq!(request["params"]["_meta"].is_object(), modern);
                script.reply(&request, json!({ "prompts": [] })).await;
            };
            let (result, ()) = tokio::join!(client.request("prompts/list", Value::Null), serve);
            result.expect("a result");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_wire_that_is_set_is_the_only_one_that_is_tried() {
    let (endpoint, mut script) = Script::new();
    let serve = async {
        let discover = script.expect("server/discover").await;
        script.refuse(&discover, -32601, "Method not found").await;
    };
    let client = Client::builder().wire(Wire::V2026_07_28);
    let (client, ()) = tokio::join!(client.connect(endpoint), serve);
    assert_eq!(code(client), -32601);
}

#[tokio::test(start_paused = true)]
async fn a_discovery_that_comes_late_still_counts() {
    let (endpoint, mut script) = Script::new();
    let serve = async {
        let discover = script.expect("server/discover").await;
        script.expect("initialize").await;
        script.reply(&discover, discovery()).await;
    };
    let (client, ()) = tokio::join!(Client::connect(endpoint), serve);
    assert_eq!(client.expect("a connection").wire(), Wire::V2026_07_28);
}

#[tokio::test(start_paused = true)]
async fn a_modern_server_that_refuses_once_is_asked_again_in_a_version_it_supports() {
    let (endpoint, mut script) = Script::new();
    let serve = async {
        let first = script.expect("server/discover").await;
        let data = json!({ "supported": ["2026-07-28"], "requested": "2026-07-28" });
        script
            .refuse_with(
                &first,
                json!({ "code": -32022, "message": "no", "data": data }),
            )
            .await;
        let second = script.expect("server/discover").await;
        assert_ne!(first["id"], second["id"]);
        script.reply(&second, discovery()).await;
    };
    let (client, ()) = tokio::join!(Client::connect(endpoint), serve);
    assert_eq!(client.expect("a connection").wire(), Wire::V2026_07_28);
}

#[tokio::test(start_paused = true)]
async fn a_revision_nobody_knows_is_named() {
    let (endpoint, mut script) = Script::new();
    let serve = async {
        let hello = script.expect("initialize").await;
        script
            .reply(&hello, initialized(&json!("2031-01-01"), json!({})))
            .await;
    };
    let client = Client::builder().wire(Wire::V2025_11_25);
    let (client, ()) = tokio::join!(client.connect(endpoint), serve);
    let error = client.expect_err("no connection");
    assert!(matches!(error, ClientError::Unsupported(_)), "{error:?}");
    assert!(error.to_string().contains("2031-01-01"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn what_has_a_handler_is_declared_and_nothing_else() {
    let urls = || Client::builder().on_url(async |_: UrlQuestion| Answer::Declined);
    let roots = || Client::builder().on_roots(async || vec![Root::new("file:///w")]);
    for (client, expected) in [
        (Client::builder().tasks(false), json!({})),
        (ada().tasks(false), json!({ "elicitation": { "form": {} } })),
        (urls().tasks(false), json!({ "elicitation": { "url": {} } })),
        (
            roots(),
            json!({ "roots": {}, "extensions": { "io.modelcontextprotocol/tasks": {} } }),
        ),
    ] {
        let (endpoint, mut script) = Script::new();
        let serve = async {
            let discover = script.expect("server/discover").await;
            let meta = &discover["params"]["_meta"];
            assert_eq!(meta["io.modelcontextprotocol/clientCapabilities"], expected);
            script.reply(&discover, discovery()).await;
        };
        let (client, ()) = tokio::join!(client.connect(endpoint), serve);
        client.expect("a connection");
    }
}

#[tokio::test(start_paused = true)]
async fn every_modern_request_says_who_asks_and_in_what() {
    let (client, mut script) = Script::modern(Client::builder().name("host", "7")).await;
    let serve = async {
        let request = script.expect("prompts/list").await;
        let meta = &request["params"]["_meta"];
        assert_eq!(
            meta["io.modelcontextprotocol/protocolVersion"],
            "2026-07-28"
        );
        assert_eq!(
            meta["io.modelcontextprotocol/clientInfo"],
            json!({ "name": "host", "version": "7" })
        );
        script
            .reply(&request, json!({ "resultType": "complete", "prompts": [] }))
            .await;
    };
    let (result, ()) = tokio::join!(client.request("prompts/list", Value::Null), serve);
    assert_eq!(result.expect("a result")["prompts"], json!([]));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_goes_ends_every_wait_for_it() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let serve = async {
        script.expect("tools/list").await;
        drop(script);
    };
    let (listed, ()) = tokio::join!(client.list_tools(), serve);
    let error = listed.expect_err("no list");
    assert!(matches!(error, ClientError::Closed { .. }), "{error:?}");
    let after = client.request("ping", Value::Null).await;
    assert!(
        matches!(after, Err(ClientError::Closed { .. })),
        "{after:?}"
    );
}
