//! What belongs to one caller does not exist for any other: not by a word, a status or a header.

use std::fmt::Write;
use std::time::Duration;

use serde_json::{Value, json};
use tests::http::{LegacySession, Request, Response, Site, USER};
use tests::tools::server;

/// No id, and as long as one.
fn unknown(id: &Value) -> Value {
    let id = id.as_str().expect("an id");
    id.chars().map(|_| 'f').collect::<String>().into()
}

/// Lets everything happen that is due.
async fn settle() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

/// The request by everybody but its owner: another authenticated caller, and one of whom nothing is known.
fn strangers(request: &Request) -> [Request; 2] {
    [
        request.clone().header(USER, "eve"),
        request.clone().without(USER),
    ]
}

/// What strangers are answered is, byte for byte, what they are answered about something that never was.
async fn nothing_shows(site: &Site, foreign: &Request, unknown: &Request) {
    let pairs = strangers(foreign).into_iter().zip(strangers(unknown));
    for (foreign, unknown) in pairs {
        let context = format!("{foreign:?}");
        let told = site.send(foreign).await.whole().await;
        assert_eq!(told, site.send(unknown).await.whole().await, "{context}");
    }
}

/// A task of this tool that belongs to `ada`, as it is a second later.
async fn task_of_ada(site: &Site, tool: &str, arguments: Value) -> Value {
    let call = Request::call(tool, arguments).header(USER, "ada");
    let task = site.ask(call).await["result"].take();
    assert_eq!(task["resultType"], "task", "{task}");
    tokio::time::sleep(Duration::from_secs(1)).await;
    task
}

async fn status(site: &Site, task: &Value) -> Value {
    let get = Request::about("tasks/get", task).header(USER, "ada");
    site.ask(get).await["result"]["status"].take()
}

#[tokio::test(start_paused = true)]
async fn a_task_of_the_extension_in_any_state() {
    let site = Site::open(server().0);
    for (tool, arguments, state) in [
        ("nap", json!({"millis": 60_000}), "working"),
        ("ask", json!({}), "input_required"),
        ("echo", json!({"text": "secret"}), "completed"),
        ("refuse", json!({}), "failed"),
    ] {
        let task = task_of_ada(&site, tool, arguments).await;
        for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
            let about = |id: &Value| {
                let answers = json!({"name": {"action": "accept", "content": {"name": "Eve"}}});
                Request::modern(method, json!({"taskId": id, "inputResponses": answers}))
            };
            let id = &task["taskId"];
            nothing_shows(&site, &about(id), &about(&unknown(id))).await;
        }
        settle().await;
        assert_eq!(status(&site, &task).await, state);
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_that_has_expired() {
    let site = Site::open(server().0);
    let task = task_of_ada(&site, "echo", json!({"text": "secret"})).await;
    tokio::time::sleep(Duration::from_secs(700)).await;
    let about = |id: &Value| Request::modern("tasks/get", json!({"taskId": id}));
    let id = &task["taskId"];
    let own = site.ask(about(id).header(USER, "ada")).await;
    let text = own["error"]["message"].as_str().expect("a text");
    assert!(text.contains("expired"), "{text}");
    nothing_shows(&site, &about(id), &about(&unknown(id))).await;
}

#[tokio::test(start_paused = true)]
async fn a_task_of_nobody_in_particular_is_nothing_to_who_is_known() {
    let site = Site::open(server().0);
    let nap = Request::call("nap", json!({"millis": 60_000}));
    let task = site.ask(nap).await["result"].take();
    for method in ["tasks/get", "tasks/cancel"] {
        let foreign = Request::about(method, &task).header(USER, "eve");
        let none = json!({"taskId": unknown(&task["taskId"])});
        let none = Request::about(method, &none).header(USER, "eve");
        let told = site.send(foreign).await.whole().await;
        assert_eq!(told, site.send(none).await.whole().await, "{method}");
    }
    // Whoever knows the id has the key.
    let own = site.ask(Request::about("tasks/get", &task)).await;
    assert_eq!(own["result"]["status"], "working");
}

#[tokio::test(start_paused = true)]
async fn a_task_of_2025_11_25_in_any_state() {
    let site = Site::open(server().0);
    let ada = LegacySession::open_as(&site, "2025-11-25", Some("ada")).await;
    let eve = LegacySession::open_as(&site, "2025-11-25", Some("eve")).await;
    let anonymous = LegacySession::open(&site, "2025-11-25").await;
    for (tool, arguments, state) in [
        ("nap", json!({"millis": 60_000}), "working"),
        ("ask", json!({}), "input_required"),
        ("echo", json!({"text": "secret"}), "completed"),
        ("fail", json!({}), "failed"),
    ] {
        let task = ada.start_task(1, tool, &arguments).await;
        settle().await;
        let id = &task["taskId"];
        for method in ["tasks/get", "tasks/result", "tasks/cancel"] {
            for stranger in [&eve, &anonymous] {
                let about = |id: &Value| stranger.request(1, method, &json!({"taskId": id}));
                let told = site.send(about(id)).await.whole().await;
                let none = site.send(about(&unknown(id))).await.whole().await;
                assert_eq!(told, none, "{method} {tool}");
            }
        }
        let own = ada.ask(2, "tasks/get", &json!({"taskId": id})).await;
        assert_eq!(own["result"]["status"], state);
    }
}

#[tokio::test(start_paused = true)]
async fn a_list_of_tasks_is_ones_own_wherever_it_begins() {
    let site = Site::open(server().0);
    let ada = LegacySession::open_as(&site, "2025-11-25", Some("ada")).await;
    let eve = LegacySession::open_as(&site, "2025-11-25", Some("eve")).await;
    let mut cursors = Vec::new();
    for number in 0..60 {
        let task = ada
            .start_task(number, "nap", &json!({"millis": 60_000}))
            .await;
        if number % 20 == 10 {
            eve.start_task(number, "nap", &json!({"millis": 60_000}))
                .await;
        }
        drop(task);
    }
    let mut params = json!({});
    loop {
        let page = ada.ask(1, "tasks/list", &params).await["result"].take();
        let Some(cursor) = page.get("nextCursor") else {
            break;
        };
        cursors.push(cursor.clone());
        params = json!({"cursor": cursor});
    }
    assert_eq!(cursors.len(), 1);
    let of_eve = eve.ask(1, "tasks/list", &json!({})).await["result"].take();
    let of_eve = of_eve["tasks"].as_array().expect("tasks").clone();
    assert_eq!(of_eve.len(), 3);
    // A cursor says where to go on, and opens nothing.
    let page = eve
        .ask(1, "tasks/list", &json!({"cursor": cursors[0]}))
        .await;
    for task in page["result"]["tasks"].as_array().expect("tasks") {
        assert!(of_eve.contains(task), "{task}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_for_an_answer() {
    let (server, probe) = server();
    let site = Site::open(server);
    let call = |params: Value| {
        let inline = json!({"elicitation": {"form": {}}});
        Request::modern_with(inline, "tools/call", params)
    };
    let ask = call(json!({"name": "ask", "arguments": {}})).header(USER, "ada");
    let asked = site.ask(ask).await["result"].take();
    let handle = &asked["requestState"];
    let answers = json!({"name": {"action": "accept", "content": {"name": "Eve"}}});
    for answers in [json!({}), answers] {
        let retry = |handle: &Value| {
            call(json!({
                "name": "ask", "arguments": {}, "requestState": handle, "inputResponses": answers,
            }))
        };
        nothing_shows(&site, &retry(handle), &retry(&unknown(handle))).await;
    }
    settle().await;
    assert_eq!((probe.started(), probe.passed()), (1, 0));
    let retry = json!({
        "name": "ask",
        "arguments": {},
        "requestState": handle,
        "inputResponses": {"name": {"action": "accept", "content": {"name": "Ada"}}},
    });
    let done = site.ask(call(retry).header(USER, "ada")).await;
    assert_eq!(done["result"]["content"][0]["text"], "Hello, Ada!");
}

#[tokio::test(start_paused = true)]
async fn a_subscription_to_a_task() {
    let site = Site::open(server().0);
    let task = task_of_ada(&site, "nap", json!({"millis": 20_000})).await;
    let listen = |id: &Value| {
        let filter = json!({"notifications": {"taskIds": [id]}});
        Request::modern("subscriptions/listen", filter)
    };
    let id = &task["taskId"];
    let pairs = strangers(&listen(id))
        .into_iter()
        .zip(strangers(&listen(&unknown(id))));
    for (foreign, none) in pairs {
        let (foreign, none) = (site.send(foreign).await, site.send(none).await);
        assert_eq!(
            told_in_a_minute(foreign).await,
            told_in_a_minute(none).await
        );
    }
    assert_eq!(status(&site, &task).await, "completed");
}

/// The first events of a stream on which comments alone come after the first.
async fn told_in_a_minute(mut stream: Response) -> String {
    let mut told = format!("{} {:?}", stream.status, stream.header("content-type"));
    for _ in 0..5 {
        let event = stream.event().await;
        let _ = write!(told, "{event:?}");
    }
    told
}

#[tokio::test(start_paused = true)]
async fn a_session_by_every_way_to_it() {
    let site = Site::open(server().0);
    let ada = LegacySession::open_as(&site, "2025-11-25", Some("ada")).await;
    let params = json!({"name": "steps", "arguments": {}, "_meta": {"progressToken": 1}});
    let mut stream = site.send(ada.request(1, "tools/call", &params)).await;
    let (event, _) = stream.numbered_message().await.expect("a step");
    drop(stream);
    let none = unknown(&json!(ada.id));
    let none = none.as_str().expect("an id");
    for request in [
        ada.request(2, "ping", &json!({})),
        ada.request(2, "initialize", &json!({})),
        ada.call(2, "add", &json!({"a": 1, "b": 2})),
        ada.notification("notifications/cancelled", &json!({"requestId": 1})),
        ada.post(&json!({"jsonrpc": "2.0", "id": 1, "result": {}})),
        ada.post(&json!([{"jsonrpc": "2.0", "id": 2, "method": "ping"}])),
        ada.post(&json!({"jsonrpc": "2.0", "id": 2})),
        ada.get(),
        ada.resume(&event.expect("an id")),
        ada.resume("0-0"),
        ada.delete(),
    ] {
        let unknown = request.clone().header("Mcp-Session-Id", none);
        nothing_shows(&site, &request, &unknown).await;
    }
    assert_eq!(ada.ask(3, "ping", &json!({})).await["result"], json!({}));
}

#[tokio::test(start_paused = true)]
async fn a_request_a_question_and_a_stream_of_another_session() {
    let (server, probe) = server();
    let site = Site::open(server);
    let ada = LegacySession::open_as(&site, "2025-11-25", Some("ada")).await;
    let eve = LegacySession::open_as(&site, "2025-11-25", Some("eve")).await;
    let mut call = site.send(ada.call(1, "ask", &json!({}))).await;
    let (event, question) = call.numbered_message().await.expect("a question");

    // Under the same ids, in a session of one's own.
    eve.answer(
        &question,
        &json!({"action": "accept", "content": {"name": "Eve"}}),
    )
    .await;
    let cancelled = eve.notification("notifications/cancelled", &json!({"requestId": 1}));
    assert_eq!(site.send(cancelled).await.status, 202);
    let resumed = eve.resume(&event.expect("an id"));
    let resumed = told_in_a_minute(site.send(resumed).await).await;
    let none = told_in_a_minute(site.send(eve.resume("77-7")).await).await;
    assert_eq!(resumed, none);
    assert_eq!((probe.passed(), probe.dropped()), (0, 0));

    ada.answer(
        &question,
        &json!({"action": "accept", "content": {"name": "Ada"}}),
    )
    .await;
    let done = call.message().await.expect("a response");
    assert_eq!(done["result"]["content"][0]["text"], "Hello, Ada!");
}
