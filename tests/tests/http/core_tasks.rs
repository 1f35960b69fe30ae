//! The 2025-11-25 tasks chapter over HTTP.

use std::time::Duration;

use serde_json::{Value, json};
use tests::http::{LegacySession, Request, Site, USER};
use tests::session::RELATED_TASK;
use tests::tools::{plain_server, server};

async fn open(site: &Site) -> LegacySession<'_> {
    LegacySession::open(site, "2025-11-25").await
}

fn about(task: &Value) -> Value {
    json!({"taskId": task["taskId"]})
}

#[tokio::test(start_paused = true)]
async fn what_is_offered_is_what_an_anonymous_client_may_have() {
    let site = Site::open(server().0);
    let session = open(&site).await;
    let tasks = &session.offered["tasks"];
    assert_eq!(
        *tasks,
        json!({"cancel": {}, "requests": {"tools": {"call": {}}}})
    );
    let refused = session.ask(1, "tasks/list", &json!({})).await;
    assert_eq!(refused["error"]["code"], -32601);
    let plain = Site::open(plain_server());
    assert_eq!(open(&plain).await.offered.get("tasks"), None);
}

#[tokio::test(start_paused = true)]
async fn who_is_known_lists_their_own_tasks_and_nobody_elses() {
    let site = Site::open(server().0);
    let ada = LegacySession::open_as(&site, "2025-11-25", Some("ada")).await;
    let eve = LegacySession::open_as(&site, "2025-11-25", Some("eve")).await;
    assert_eq!(ada.offered["tasks"]["list"], json!({}));
    let task = ada.start_task(1, "nap", &json!({"millis": 60_000})).await;
    let of_eve = eve.start_task(1, "nap", &json!({"millis": 60_000})).await;
    for (session, own) in [(&ada, &task), (&eve, &of_eve)] {
        let list = session.ask(2, "tasks/list", &json!({})).await;
        let tasks = list["result"]["tasks"].as_array().expect("a list");
        assert_eq!(tasks.len(), 1);
        assert_eq!(tasks[0]["taskId"], own["taskId"]);
    }
    let unknown = eve.ask(3, "tasks/get", &json!({"taskId": "0123"})).await;
    for method in ["tasks/get", "tasks/result", "tasks/cancel"] {
        let foreign = eve.ask(4, method, &about(&task)).await;
        assert_eq!(foreign["error"], unknown["error"], "{method}");
    }
    let anonymous = ada.request(5, "tasks/get", &about(&task)).without(USER);
    assert_eq!(site.send(anonymous).await.status, 404);
}

#[tokio::test(start_paused = true)]
async fn a_task_lives_from_its_creation_to_its_result() {
    let site = Site::open(server().0);
    let session = open(&site).await;
    let task = session
        .start_task(1, "nap", &json!({"millis": 30_000}))
        .await;
    assert_eq!(task["status"], "working");
    for key in ["createdAt", "lastUpdatedAt"] {
        assert!(
            task[key].as_str().is_some_and(|at| at.ends_with('Z')),
            "{task}"
        );
    }
    assert!(task["ttl"].is_u64(), "{task}");

    // Polling needs no event stream.
    let response = site
        .send(session.request(2, "tasks/get", &about(&task)))
        .await;
    assert!(!response.is_stream());
    let now = response.json().await["result"].take();
    assert_eq!(now["status"], "working");
    assert_eq!(now["taskId"], task["taskId"]);

    let start = tokio::time::Instant::now();
    let stream = session.result_stream(3, &task).await;
    let last = stream.last().await;
    assert_eq!(start.elapsed().as_secs(), 30);
    assert_eq!(last["result"]["content"][0]["text"], "rested");
    assert_eq!(
        last["result"]["_meta"][RELATED_TASK]["taskId"],
        task["taskId"]
    );
    let again = session.ask(4, "tasks/result", &about(&task)).await;
    assert_eq!(again["result"], last["result"]);
}

#[tokio::test(start_paused = true)]
async fn a_tools_declaration_decides_what_task_may_do() {
    let site = Site::open(server().0);
    let session = open(&site).await;
    let required = site.ask(session.call(1, "export", &json!({}))).await;
    assert_eq!(required["error"]["code"], -32601);
    let params = json!({"name": "add", "arguments": {"a": 1, "b": 2}, "task": {}});
    let forbidden = session.ask(2, "tools/call", &params).await;
    assert_eq!(forbidden["error"]["code"], -32601);
    let plain = Site::open(plain_server());
    let ignored = open(&plain).await.ask(1, "tools/call", &params).await;
    assert_eq!(ignored["result"]["content"][0]["text"], "3");
}

#[tokio::test(start_paused = true)]
async fn every_kind_of_end_is_told_as_the_call_would_have_told_it() {
    let site = Site::open(server().0);
    let session = open(&site).await;
    for (id, tool, status) in [
        (1, "fail", "failed"),
        (3, "refuse", "failed"),
        (5, "echo", "completed"),
    ] {
        let arguments = json!({"text": "x"});
        let arguments = if tool == "echo" { arguments } else { json!({}) };
        let task = session.start_task(id, tool, &arguments).await;
        let told = session.ask(id + 1, "tasks/result", &about(&task)).await;
        let now = session.ask(99, "tasks/get", &about(&task)).await["result"].take();
        assert_eq!(now["status"], status, "{tool}");
        match tool {
            "fail" => assert_eq!(told["result"]["isError"], true),
            "refuse" => assert_eq!(told["error"]["code"], -32602),
            _ => assert_eq!(told["result"]["content"][0]["text"], "x"),
        }
        assert_eq!(
            status == "failed",
            now["statusMessage"].is_string(),
            "{now}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_task_is_cancelled_before_the_reply_and_for_good() {
    let (server, probe) = server();
    let site = Site::open(server);
    let session = open(&site).await;
    let task = session
        .start_task(1, "nap", &json!({"millis": 60_000}))
        .await;
    let waiting = session.result_stream(2, &task);
    let cancelling = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        session.ask(3, "tasks/cancel", &about(&task)).await
    };
    let (waited, cancelled) = tokio::join!(waiting, cancelling);
    assert_eq!(cancelled["result"]["status"], "cancelled");
    let waited = waited.last().await;
    assert_eq!(waited["id"], 2);
    assert_eq!(waited["result"]["isError"], true);
    let again = session.ask(4, "tasks/cancel", &about(&task)).await;
    assert_eq!(again["error"]["code"], -32602);
    tokio::time::sleep(Duration::from_secs(120)).await;
    let now = session.ask(5, "tasks/get", &about(&task)).await;
    assert_eq!(now["result"]["status"], "cancelled");
    assert_eq!(probe.dropped(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_request_that_made_a_task_cannot_be_cancelled_any_more() {
    let site = Site::open(server().0);
    let session = open(&site).await;
    let task = session
        .start_task(1, "nap", &json!({"millis": 5_000}))
        .await;
    let late = session.notification("notifications/cancelled", &json!({"requestId": 1}));
    assert_eq!(site.send(late).await.status, 202);
    let stream = session.result_stream(2, &task).await;
    let told = stream.last().await;
    assert_eq!(told["result"]["content"][0]["text"], "rested");
}

#[tokio::test(start_paused = true)]
async fn ids_that_are_none_are_refused_by_every_method() {
    let site = Site::open(server().0);
    let session = open(&site).await;
    for method in ["tasks/get", "tasks/result", "tasks/cancel"] {
        for id in [json!("0123"), json!(""), json!(7), json!(null), json!({})] {
            let refused = session.ask(1, method, &json!({"taskId": id})).await;
            assert_eq!(refused["error"]["code"], -32602, "{method} {id}");
        }
        let missing = session.ask(1, method, &json!({})).await;
        assert_eq!(missing["error"]["code"], -32602, "{method}");
    }
}

#[tokio::test(start_paused = true)]
async fn progress_goes_to_the_result_stream_else_to_the_sessions_own() {
    for on_result in [true, false] {
        let site = Site::open(server().0);
        let session = open(&site).await;
        let mut own = site.send(session.get()).await;
        let params = json!({
            "name": "steps", "arguments": {}, "task": {}, "_meta": {"progressToken": "p"},
        });
        let task = session.ask(1, "tools/call", &params).await["result"]["task"].take();
        let is_progress = |message: &Value| message["method"] == "notifications/progress";
        if on_result {
            let mut stream = session.result_stream(2, &task).await;
            let messages = stream.messages().await;
            let told: Vec<_> = messages.into_iter().filter(is_progress).collect();
            assert!(told.len() >= 2, "{told:?}");
            for message in told {
                assert_eq!(message["params"]["progressToken"], "p");
                let related = &message["params"]["_meta"][RELATED_TASK]["taskId"];
                assert_eq!(*related, task["taskId"]);
            }
        } else {
            for step in 1..=3 {
                let message = loop {
                    let message = own.message().await.expect("an open stream");
                    if is_progress(&message) {
                        break message;
                    }
                };
                assert_eq!(message["params"]["progress"], step);
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_methods_of_the_extension_are_none_here_and_those_of_this_revision_none_there() {
    let site = Site::open(server().0);
    let session = open(&site).await;
    let task = session
        .start_task(1, "nap", &json!({"millis": 60_000}))
        .await;
    let params = json!({"taskId": task["taskId"], "inputResponses": {}});
    let update = session.ask(2, "tasks/update", &params).await;
    assert_eq!(update["error"]["code"], -32601);
    for method in ["tasks/result", "tasks/list"] {
        let refused = site.send(Request::about(method, &task)).await;
        assert_eq!(refused.status, 404, "{method}");
    }
    // A task belongs to the dialect it was made in.
    let foreign = site.ask(Request::about("tasks/get", &task)).await;
    assert_eq!(foreign["error"]["code"], -32602);
}
