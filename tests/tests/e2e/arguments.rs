//! What comes with a call: names, arguments, ids.

use mcp_tasks::testing::{ClientKind, every_client};
use serde_json::{Value, json};
use tests::session::{Session, TASK_CLIENTS, text};
use tests::tools::server;

use ClientKind::CoreTasks;

#[tokio::test(start_paused = true)]
async fn an_unknown_tool_is_named_in_the_refusal() {
    let (server, _) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let error = client
            .call_plainly("frobnicate", json!({}))
            .await
            .unwrap_err();
        assert_eq!(error.code, -32602, "{kind}");
        assert_eq!(error.message, "Unknown tool: frobnicate", "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_without_a_name_is_refused() {
    let (server, _) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        for params in [
            json!({}),
            json!({ "name": 7 }),
            json!({ "name": null, "arguments": {} }),
        ] {
            let error = client.request("tools/call", params).await.unwrap_err();
            assert_eq!(error.code, -32602, "{kind}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn arguments_that_are_no_object_are_refused() {
    let (server, _) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        for arguments in [json!([1, 2]), json!("a=1"), json!(7)] {
            let error = client.call_plainly("add", arguments).await.unwrap_err();
            assert_eq!(error.code, -32602, "{kind}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_bad_argument_is_a_result_the_model_can_read_and_never_a_task() {
    let (server, probe) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        for (tool, arguments, named) in [
            ("nap", json!({}), "millis"),
            ("nap", json!({ "millis": "soon" }), "millis"),
            ("nap", json!({ "millis": null }), "millis"),
            ("nap", json!({ "millis": -1 }), "millis"),
            ("nap", json!({ "millis": 1, "milis": 2 }), "milis"),
            ("add", json!({ "a": 1 }), "b"),
        ] {
            let result = client.call_plainly(tool, arguments.clone()).await.unwrap();
            assert_eq!(result["isError"], true, "{kind}: {arguments}");
            assert!(text(&result).contains(named), "{kind}: {}", text(&result));
            if kind.is_modern() {
                assert_eq!(result["resultType"], "complete", "{kind}");
            }
        }
    }
    assert_eq!(probe.started(), 0);
}

#[tokio::test(start_paused = true)]
async fn every_bad_argument_is_named_at_once() {
    let mut client = Session::open(&server().0, ClientKind::V2025_11_25).await;
    let result = client
        .call_plainly("add", json!({ "a": "x", "c": 3 }))
        .await
        .unwrap();
    for named in ["`a`", "`b`", "`c`"] {
        assert!(text(&result).contains(named), "{named}: {}", text(&result));
    }
}

#[tokio::test(start_paused = true)]
async fn a_bad_argument_refuses_a_core_task() {
    let (server, probe) = server();
    let mut client = Session::open(&server, CoreTasks).await;
    let plain = client
        .call_plainly("nap", json!({ "millis": "soon" }))
        .await
        .unwrap();
    let params = json!({ "name": "nap", "arguments": { "millis": "soon" }, "task": {} });
    let error = client.request("tools/call", params).await.unwrap_err();
    assert_eq!(error.code, -32602);
    assert_eq!(error.message, text(&plain), "the same text");
    let listed = client.request("tasks/list", Value::Null).await.unwrap();
    assert_eq!(listed["tasks"], json!([]));
    assert_eq!(probe.started(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_tool_without_arguments_takes_none_null_and_an_empty_object() {
    let (server, _) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        for params in [
            json!({ "name": "noop" }),
            json!({ "name": "noop", "arguments": null }),
            json!({ "name": "noop", "arguments": {} }),
        ] {
            let result = client.request("tools/call", params).await.unwrap();
            assert_ne!(result["isError"], true, "{kind}");
            assert!(result["content"].is_array(), "{kind}: {result}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_id_comes_back_as_it_was_sent() {
    let (server, _) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let id = client.start("tools/list", json!({})).await;
        client.response(&id).await.unwrap();
        let mut request = client
            .transcript()
            .iter()
            .rev()
            .nth(1)
            .expect("the request")
            .1
            .clone();
        for id in [
            json!("7"),
            json!("a b\n"),
            json!(0),
            json!(-1),
            json!(9_007_199_254_740_993_i64),
        ] {
            request["id"] = id.clone();
            client.send(request.clone()).await;
            let response = client.recv().await;
            assert_eq!(response["id"], id, "{kind}");
            assert!(response.get("result").is_some(), "{kind}: {response}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_id_that_is_none_is_refused() {
    let (server, _) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let id = client.start("tools/list", json!({})).await;
        client.response(&id).await.unwrap();
        let mut request = client
            .transcript()
            .iter()
            .rev()
            .nth(1)
            .expect("the request")
            .1
            .clone();
        for id in [json!(1.5), Value::Null, json!([1]), json!({}), json!(true)] {
            request["id"] = id.clone();
            client.send(request.clone()).await;
            let response = client.recv().await;
            assert_eq!(response["error"]["code"], -32600, "{kind}: {id}");
            assert!(response.get("id").is_none(), "{kind}: {response}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn task_ids_are_long_and_never_alike() {
    let (server, _) = server();
    for kind in TASK_CLIENTS {
        let mut client = Session::open(&server, kind).await;
        let mut ids = std::collections::HashSet::new();
        for _ in 0..300 {
            let task = client.start_task("echo", json!({ "text": "x" })).await;
            let id = task["taskId"].as_str().expect("a string").to_owned();
            assert!(
                id.len() >= 22,
                "128 bits in any alphabet up to base 64: {id}"
            );
            assert!(ids.insert(id), "{kind}: given out twice");
        }
        let shared = (0..16).filter(|at| {
            let mut letters = ids.iter().map(|id| id.as_bytes()[*at]);
            let first = letters.next();
            letters.all(|letter| Some(letter) == first)
        });
        assert_eq!(
            shared.count(),
            0,
            "{kind}: no position is the same in all of them"
        );
    }
}
