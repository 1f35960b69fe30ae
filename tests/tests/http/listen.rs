//! `subscriptions/listen` over HTTP.

use serde_json::{Value, json};
use tests::http::{LegacySession, Request, Site, USER};
use tests::session::SUBSCRIPTION_ID;

use crate::tools::server;

fn listen(tasks: &[&Value]) -> Request {
    let ids: Vec<_> = tasks.iter().map(|task| &task["taskId"]).collect();
    Request::modern(
        "subscriptions/listen",
        json!({"notifications": {"taskIds": ids}}),
    )
}

async fn make(site: &Site, millis: u64) -> Value {
    let call = Request::call("nap", json!({"millis": millis}));
    site.ask(call).await["result"].take()
}

#[tokio::test(start_paused = true)]
async fn a_stream_acknowledges_first_and_then_tells_the_whole_task_each_time() {
    let site = Site::open(server().0);
    let task = make(&site, 30_000).await;
    let mut stream = site
        .send(listen(&[&task, &json!({"taskId": "0123"})]))
        .await;
    assert_eq!(stream.status, 200);
    assert!(stream.is_stream());
    assert_eq!(stream.header("x-accel-buffering"), Some("no"));

    let first = stream.message().await.expect("the acknowledgement");
    assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(
        first["params"]["notifications"],
        json!({"taskIds": [task["taskId"]]})
    );
    assert_eq!(first["params"]["_meta"][SUBSCRIPTION_ID], 1);

    for status in ["working", "completed"] {
        let told = stream.message().await.expect("a state");
        assert_eq!(told["method"], "notifications/tasks");
        assert_eq!(told["params"]["_meta"][SUBSCRIPTION_ID], 1);
        assert_eq!(told["params"]["taskId"], task["taskId"]);
        assert_eq!(told["params"]["status"], status);
        assert!(told["params"]["ttlMs"].is_u64(), "{told}");
        let has_result = told["params"]["result"]["content"].is_array();
        assert_eq!(has_result, status == "completed", "{told}");
    }
}

#[tokio::test(start_paused = true)]
async fn who_does_not_declare_the_extension_gets_an_error_and_no_stream() {
    let site = Site::open(server().0);
    let task = make(&site, 1_000).await;
    let params = json!({"notifications": {"taskIds": [task["taskId"]]}});
    let refused = site
        .send(Request::modern_with(
            json!({}),
            "subscriptions/listen",
            params,
        ))
        .await;
    assert_eq!(refused.status, 400);
    assert!(!refused.is_stream());
    let error = refused.json().await["error"].take();
    assert_eq!(error["code"], -32021);
}

#[tokio::test(start_paused = true)]
async fn somebody_elses_task_is_not_accepted() {
    let site = Site::open(server().0);
    let nap = Request::call("nap", json!({"millis": 60_000})).header(USER, "ada");
    let task = site.ask(nap).await["result"].take();
    let mut stream = site.send(listen(&[&task]).header(USER, "eve")).await;
    let first = stream.message().await.expect("the acknowledgement");
    assert_eq!(first["params"]["notifications"], json!({"taskIds": []}));
    assert!(stream.event().await.expect("a comment").comment);
}

#[tokio::test(start_paused = true)]
async fn shutting_down_ends_a_subscription_with_its_result() {
    let site = Site::open(server().0);
    let task = make(&site, 3_600_000).await;
    let mut stream = site.send(listen(&[&task])).await;
    stream.message().await.expect("the acknowledgement");
    stream.message().await.expect("the present state");
    site.service.shut_down().await;
    let rest = stream.messages().await;
    let last = rest.last().expect("an end");
    assert_eq!(last["id"], 1, "{rest:?}");
    assert_eq!(last["result"]["resultType"], "complete");
    assert_eq!(last["result"]["_meta"][SUBSCRIPTION_ID], 1);
}

#[tokio::test(start_paused = true)]
async fn a_change_of_the_tools_is_told_to_who_asked_for_it_and_on_a_sessions_own_stream() {
    let site = Site::open(server().0);
    let listen =
        |filter: Value| Request::modern("subscriptions/listen", json!({"notifications": filter}));
    let mut told = site.send(listen(json!({"toolsListChanged": true}))).await;
    let mut untold = site.send(listen(json!({"promptsListChanged": true}))).await;
    let session = LegacySession::open(&site, "2025-11-25").await;
    let mut own = site.send(session.get()).await;
    told.message().await.expect("the acknowledgement");
    untold.message().await.expect("the acknowledgement");

    site.ask(Request::call("open_table", json!({}))).await;
    let changed = told.message().await.expect("a change");
    assert_eq!(changed["method"], "notifications/tools/list_changed");
    assert_eq!(changed["params"]["_meta"][SUBSCRIPTION_ID], 1);
    let changed = own.message().await.expect("a change");
    assert_eq!(changed["method"], "notifications/tools/list_changed");
    assert!(untold.event().await.expect("a comment").comment);
}

#[tokio::test(start_paused = true)]
async fn a_filter_of_the_wrong_shape_is_refused_before_any_stream() {
    let site = Site::open(server().0);
    for filter in [
        json!({"taskIds": [7]}),
        json!({"taskIds": [null]}),
        json!({"taskIds": "0123"}),
        json!({"taskIds": {}}),
        json!([]),
        json!(null),
    ] {
        let listen = Request::modern("subscriptions/listen", json!({"notifications": filter}));
        let refused = site.send(listen).await;
        assert_eq!(refused.status, 400, "{filter}");
        assert_eq!(refused.code().await, Some(-32602), "{filter}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_is_told_whole_and_so_is_its_answer() {
    let site = Site::open(server().0);
    let task = site.ask(Request::call("ask", json!({}))).await["result"].take();
    let mut stream = site.send(listen(&[&task])).await;
    stream.message().await.expect("the acknowledgement");
    let asked = stream.message().await.expect("a state");
    assert_eq!(asked["params"]["status"], "input_required");
    assert!(
        asked["params"]["inputRequests"]["name"].is_object(),
        "{asked}"
    );
    let mut polled = site.ask(Request::about("tasks/get", &task)).await["result"].take();
    let mut told = asked["params"].clone();
    // One is a result, the other a notification.
    for message in [&mut polled, &mut told] {
        let fields = message.as_object_mut().expect("an object");
        fields.retain(|key, _| key != "resultType" && key != "_meta");
    }
    assert_eq!(told, polled);
    let answers = json!({"name": {"action": "decline"}});
    let params = json!({"taskId": task["taskId"], "inputResponses": answers});
    site.ask(Request::modern("tasks/update", params)).await;
    loop {
        let told = stream.message().await.expect("a state");
        if told["params"]["status"] == "completed" {
            assert_eq!(told["params"]["result"]["content"][0]["text"], "declined");
            break;
        }
    }
}
