//! The 2026-07-28 tasks extension over HTTP.

use std::time::Duration;

use serde_json::{Value, json};
use tests::http::{Request, Site, USER};
use tests::session::accepted;
use tests::tools::server;

async fn make(site: &Site, tool: &str, arguments: Value) -> Value {
    let task = site.ask(Request::call(tool, arguments)).await["result"].take();
    assert_eq!(task["resultType"], "task", "{task}");
    task
}

async fn get(site: &Site, task: &Value) -> Value {
    site.ask(Request::about("tasks/get", task)).await["result"].take()
}

#[tokio::test(start_paused = true)]
async fn a_task_is_there_for_any_connection_that_knows_its_id() {
    let site = Site::open(server().0);
    let task = make(&site, "ask_two", json!({})).await;
    let now = get(&site, &task).await;
    assert_eq!(now["status"], "input_required");
    for (key, answer) in [
        ("name", json!({"name": "Ada"})),
        ("count", json!({"count": 2})),
    ] {
        let params = json!({"taskId": task["taskId"], "inputResponses": {key: accepted(answer)}});
        let response = site.send(Request::modern("tasks/update", params)).await;
        assert_eq!(response.status, 200);
        assert_eq!(response.json().await["result"]["resultType"], "complete");
    }
    tokio::time::sleep(Duration::from_millis(1)).await;
    let done = get(&site, &task).await;
    assert_eq!(done["status"], "completed");
    assert_eq!(done["result"]["content"][0]["text"], "2 for Ada");
}

#[tokio::test(start_paused = true)]
async fn ids_that_are_none_are_refused_by_every_method() {
    let site = Site::open(server().0);
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        for id in [
            json!("0123"),
            json!(""),
            json!(7),
            json!(null),
            json!({}),
            Value::Null,
        ] {
            let params = json!({"taskId": id, "inputResponses": {}});
            let refused = site.send(Request::modern(method, params)).await;
            assert_eq!(refused.status, 400, "{method} {id}");
            assert_eq!(refused.code().await, Some(-32602), "{method} {id}");
        }
        let missing = site
            .send(Request::modern(method, json!({"inputResponses": {}})))
            .await;
        assert_eq!(missing.status, 400, "{method}");
        assert_eq!(missing.code().await, Some(-32602), "{method}");
    }
}

#[tokio::test(start_paused = true)]
async fn somebody_elses_task_is_an_unknown_one() {
    let site = Site::open(server().0);
    let nap = Request::call("nap", json!({"millis": 60_000})).header(USER, "ada");
    let task = site.ask(nap).await["result"].take();
    let unknown = json!({"taskId": "0123", "inputResponses": {}});
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let params = json!({"taskId": task["taskId"], "inputResponses": {}});
        let request = Request::modern(method, params);
        let none = site.ask(Request::modern(method, unknown.clone())).await;
        for foreign in [request.clone(), request.clone().header(USER, "eve")] {
            let refused = site.ask(foreign).await;
            assert_eq!(refused["error"], none["error"], "{method}");
        }
    }
    let own = site
        .ask(Request::about("tasks/get", &task).header(USER, "ada"))
        .await;
    assert_eq!(own["result"]["status"], "working");
}

#[tokio::test(start_paused = true)]
async fn who_does_not_declare_the_extension_learns_nothing_of_an_id() {
    let site = Site::open(server().0);
    let task = make(&site, "nap", json!({"millis": 60_000})).await;
    for id in [task["taskId"].clone(), json!("0123"), json!(7)] {
        for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
            let params = json!({"taskId": id, "inputResponses": {}});
            let refused = site
                .send(Request::modern_with(json!({}), method, params))
                .await;
            assert_eq!(refused.status, 400, "{method} {id}");
            let error = refused.json().await["error"].take();
            assert_eq!(error["code"], -32021, "{method} {id}");
            let missing = &error["data"]["requiredCapabilities"]["extensions"];
            assert_eq!(*missing, json!({"io.modelcontextprotocol/tasks": {}}));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_of_the_wrong_shape_leaves_its_question_open() {
    let site = Site::open(server().0);
    let task = make(&site, "ask", json!({})).await;
    for answer in [
        json!(7),
        json!({"action": "maybe"}),
        accepted(json!({"name": 7})),
    ] {
        let params = json!({"taskId": task["taskId"], "inputResponses": {"name": answer}});
        let refused = site.send(Request::modern("tasks/update", params)).await;
        assert_eq!(refused.status, 400);
        assert_eq!(refused.code().await, Some(-32602));
    }
    let now = get(&site, &task).await;
    assert!(now["inputRequests"]["name"].is_object(), "{now}");
}

#[tokio::test(start_paused = true)]
async fn an_expired_task_is_told_from_an_unknown_one_to_its_owner() {
    let site = Site::open(server().0);
    let task = make(&site, "keep", json!({"millis": 0})).await;
    tokio::time::sleep(Duration::from_secs(3600)).await;
    let expired = site.ask(Request::about("tasks/get", &task)).await;
    assert_eq!(expired["error"]["code"], -32602);
    let text = expired["error"]["message"].as_str().expect("a text");
    assert!(text.contains("expired"), "{text}");
}

/// A call of a tool by a client that follows no tasks, and whose user can be shown a form.
fn inline(params: Value) -> Request {
    Request::modern_with(json!({"elicitation": {"form": {}}}), "tools/call", params)
}

#[tokio::test(start_paused = true)]
async fn an_answer_of_the_wrong_shape_to_a_call_is_asked_for_again() {
    let site = Site::open(server().0);
    let ask = json!({"name": "ask", "arguments": {}});
    let mut asked = site.ask(inline(ask)).await["result"].take();
    for answer in [
        json!(7),
        json!({"action": "maybe"}),
        accepted(json!({"name": 7})),
    ] {
        assert_eq!(asked["resultType"], "input_required", "{asked}");
        let retry = json!({
            "name": "ask",
            "arguments": {},
            "requestState": asked["requestState"],
            "inputResponses": {"name": answer},
        });
        asked = site.ask(inline(retry)).await["result"].take();
        assert!(asked["inputRequests"]["name"].is_object(), "{asked}");
    }
    for responses in [json!(7), json!([]), json!("name")] {
        let retry = json!({
            "name": "ask",
            "requestState": asked["requestState"],
            "inputResponses": responses,
        });
        let refused = site.send(inline(retry)).await;
        assert_eq!(refused.status, 400, "{responses}");
        assert_eq!(refused.code().await, Some(-32602), "{responses}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_nobody_came_back_to_in_time_is_unknown() {
    let site = Site::open(server().0);
    let asked = site
        .ask(inline(json!({"name": "ask", "arguments": {}})))
        .await;
    let retry = json!({"name": "ask", "requestState": asked["result"]["requestState"]});
    tokio::time::sleep(Duration::from_secs(601)).await;
    let refused = site.send(inline(retry)).await;
    assert_eq!(refused.status, 400);
    assert_eq!(refused.code().await, Some(-32602));
}

#[tokio::test(start_paused = true)]
async fn a_question_beyond_what_the_client_declared_is_not_asked() {
    let site = Site::open(server().0);
    let tasks_alone = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
    let params = json!({"name": "ask", "arguments": {}});
    let call = Request::modern_with(tasks_alone, "tools/call", params);
    let task = site.ask(call).await["result"].take();
    tokio::time::sleep(Duration::from_millis(1)).await;
    let now = get(&site, &task).await;
    assert_eq!(now["status"], "failed", "{now}");
    assert_eq!(now["error"]["code"], -32021);
    let missing = &now["error"]["data"]["requiredCapabilities"];
    assert_eq!(*missing, json!({"elicitation": {"form": {}}}));
}
