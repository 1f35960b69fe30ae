//! Questions to the clients of sessions: requests of the server's, on the one stream where they belong.

use std::time::Duration;

use serde_json::{Value, json};
use tests::http::{LegacySession, Response, Site};
use tests::session::RELATED_TASK;

use crate::tools::server;

fn accept_name(name: &str) -> Value {
    json!({"action": "accept", "content": {"name": name}})
}

async fn question(stream: &mut Response) -> Value {
    let (_, question) = numbered_question(stream).await;
    question
}

/// What a task tells of itself on the way may be anything.
async fn numbered_question(stream: &mut Response) -> (String, Value) {
    loop {
        let (id, message) = stream.numbered_message().await.expect("a question");
        if message["method"] == "elicitation/create" {
            return (id.expect("an id"), message);
        }
        assert_eq!(message["method"], "notifications/tasks/status", "{message}");
    }
}

async fn status(session: &LegacySession<'_>, task: &Value) -> Value {
    let params = json!({"taskId": task["taskId"]});
    let mut answer = session.ask(99, "tasks/get", &params).await;
    answer["result"]["status"].take()
}

async fn result_of(stream: &mut Response) -> Value {
    loop {
        let mut message = stream.message().await.expect("a result");
        if message.get("result").is_some() {
            return message["result"].take();
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_asks_on_its_own_stream_and_goes_on_with_the_answer() {
    for revision in ["2025-06-18", "2025-11-25"] {
        let site = Site::open(server().0);
        let session = LegacySession::open(&site, revision).await;
        let mut own = site.send(session.get()).await;
        let mut call = site.send(session.call(1, "ask", &json!({}))).await;
        let asked = question(&mut call).await;
        assert_eq!(asked["params"]["_meta"].get(RELATED_TASK), None);
        session.answer(&asked, &accept_name("Ada")).await;
        let result = result_of(&mut call).await;
        assert_eq!(result["content"][0]["text"], "Hello, Ada!");
        // Nothing of it on the other stream: it says only that it is alive.
        loop {
            let event = own.event().await.expect("an open stream");
            if event.comment {
                break;
            }
            assert_eq!(event.data.as_deref(), Some(""));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_of_a_call_waits_for_a_client_that_lost_its_stream() {
    let site = Site::open(server().0);
    let session = LegacySession::open(&site, "2025-11-25").await;
    let mut call = site.send(session.call(1, "ask_in_turn", &json!({}))).await;
    let (last, first) = numbered_question(&mut call).await;
    drop(call);
    tokio::time::sleep(Duration::from_secs(1)).await;
    session.answer(&first, &accept_name("Ada")).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let mut rest = site.send(session.resume(&last)).await;
    let second = question(&mut rest).await;
    session.answer(&second, &accept_name("Grace")).await;
    let result = result_of(&mut rest).await;
    assert_eq!(result["content"][0]["text"], "Ada and Grace");
}

#[tokio::test(start_paused = true)]
async fn a_tasks_question_comes_on_the_open_result_stream() {
    for with_own_stream in [false, true] {
        let site = Site::open(server().0);
        let session = LegacySession::open(&site, "2025-11-25").await;
        let mut own = None;
        if with_own_stream {
            own = Some(site.send(session.get()).await);
        }
        // It asks a second time while the result is waited for.
        let task = session.start_task(1, "ask_in_turn", &json!({})).await;
        if let Some(own) = &mut own {
            let first = question(own).await;
            let waiting = session.result_stream(2, &task);
            let answering = async {
                tokio::time::sleep(Duration::from_secs(1)).await;
                session.answer(&first, &accept_name("Ada")).await;
            };
            let (mut result, ()) = tokio::join!(waiting, answering);
            let second = question(&mut result).await;
            session.answer(&second, &accept_name("Grace")).await;
            let result = result_of(&mut result).await;
            assert_eq!(result["content"][0]["text"], "Ada and Grace");
        } else {
            let mut result = session.result_stream(2, &task).await;
            for name in ["Ada", "Grace"] {
                let asked = question(&mut result).await;
                let related = &asked["params"]["_meta"][RELATED_TASK]["taskId"];
                assert_eq!(*related, task["taskId"]);
                assert_eq!(status(&session, &task).await, "input_required");
                session.answer(&asked, &accept_name(name)).await;
            }
            let result = result_of(&mut result).await;
            assert_eq!(result["content"][0]["text"], "Ada and Grace");
            assert_eq!(result["_meta"][RELATED_TASK]["taskId"], task["taskId"]);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_result_stream_that_was_there_before_the_question_gets_it() {
    let site = Site::open(server().0);
    let session = LegacySession::open(&site, "2025-11-25").await;
    // Steps first, so that the stream is open by the time it would ask.
    let task = session
        .start_task(1, "wait_then_ask", &json!({"millis": 30_000}))
        .await;
    let mut result = session.result_stream(2, &task).await;
    let asked = question(&mut result).await;
    session.answer(&asked, &accept_name("Ada")).await;
    let result = result_of(&mut result).await;
    assert_eq!(result["content"][0]["text"], "Hello, Ada!");
}

#[tokio::test(start_paused = true)]
async fn without_a_result_stream_a_tasks_question_comes_on_the_sessions_own() {
    let site = Site::open(server().0);
    let session = LegacySession::open(&site, "2025-11-25").await;
    let mut own = site.send(session.get()).await;
    let task = session.start_task(1, "ask", &json!({})).await;
    let asked = question(&mut own).await;
    assert_eq!(
        asked["params"]["_meta"][RELATED_TASK]["taskId"],
        task["taskId"]
    );
    session.answer(&asked, &accept_name("Ada")).await;
    let result = session.result_stream(2, &task).await;
    let result = result.last().await["result"].take();
    assert_eq!(result["content"][0]["text"], "Hello, Ada!");
}

#[tokio::test(start_paused = true)]
async fn a_question_that_nobody_could_hear_is_asked_when_somebody_listens() {
    let site = Site::open(server().0);
    let session = LegacySession::open(&site, "2025-11-25").await;
    let task = session.start_task(1, "ask", &json!({})).await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(status(&session, &task).await, "input_required");
    let mut own = site.send(session.get()).await;
    let asked = question(&mut own).await;
    session.answer(&asked, &accept_name("Ada")).await;
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(status(&session, &task).await, "completed");
}

#[tokio::test(start_paused = true)]
async fn a_question_whose_result_stream_died_is_asked_again_on_the_next() {
    let site = Site::open(server().0);
    let session = LegacySession::open(&site, "2025-11-25").await;
    let task = session.start_task(1, "ask", &json!({})).await;
    let mut stream = session.result_stream(2, &task).await;
    let first = question(&mut stream).await;
    drop(stream);
    tokio::time::sleep(Duration::from_millis(1)).await;

    let mut stream = session.result_stream(3, &task).await;
    let again = question(&mut stream).await;
    assert_ne!(again["id"], first["id"], "a new request has a new id");
    assert_eq!(again["params"]["message"], first["params"]["message"]);
    session.answer(&first, &accept_name("too late")).await;
    session.answer(&again, &accept_name("Ada")).await;
    let result = result_of(&mut stream).await;
    assert_eq!(result["content"][0]["text"], "Hello, Ada!");
}

#[tokio::test(start_paused = true)]
async fn a_question_whose_result_stream_died_is_asked_again_on_the_sessions_own() {
    let site = Site::open(server().0);
    let session = LegacySession::open(&site, "2025-11-25").await;
    let task = session.start_task(1, "ask", &json!({})).await;
    let mut stream = session.result_stream(2, &task).await;
    let first = question(&mut stream).await;
    drop(stream);
    tokio::time::sleep(Duration::from_millis(1)).await;

    let mut own = site.send(session.get()).await;
    let again = question(&mut own).await;
    assert_ne!(again["id"], first["id"]);
    session.answer(&again, &accept_name("Ada")).await;
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(status(&session, &task).await, "completed");
}

#[tokio::test(start_paused = true)]
async fn a_question_whose_own_stream_died_is_asked_again_on_a_fresh_one() {
    let site = Site::open(server().0);
    let session = LegacySession::open(&site, "2025-11-25").await;
    let mut own = site.send(session.get()).await;
    let task = session.start_task(1, "ask", &json!({})).await;
    let first = question(&mut own).await;
    drop(own);
    tokio::time::sleep(Duration::from_millis(1)).await;

    let mut own = site.send(session.get()).await;
    let withdrawn = own.message().await.expect("a message");
    assert_eq!(withdrawn["method"], "notifications/cancelled");
    assert_eq!(withdrawn["params"]["requestId"], first["id"]);
    let again = question(&mut own).await;
    assert_ne!(again["id"], first["id"]);
    session.answer(&again, &accept_name("Ada")).await;
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(status(&session, &task).await, "completed");
}

#[tokio::test(start_paused = true)]
async fn who_resumes_a_stream_still_answers_the_question_that_was_on_it() {
    let site = Site::open(server().0);
    let session = LegacySession::open(&site, "2025-11-25").await;
    let mut own = site.send(session.get()).await;
    let priming = own.event().await.expect("an event");
    let task = session.start_task(1, "ask", &json!({})).await;
    let first = question(&mut own).await;
    drop(own);
    tokio::time::sleep(Duration::from_millis(1)).await;

    let mut own = site.send(session.resume(&priming.id.expect("an id"))).await;
    let replayed = question(&mut own).await;
    assert_eq!(replayed["id"], first["id"]);
    session.answer(&replayed, &accept_name("Ada")).await;
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(status(&session, &task).await, "completed");
}

#[tokio::test(start_paused = true)]
async fn a_new_session_of_the_owner_takes_a_question_up() {
    let site = Site::open(server().0);
    let old = LegacySession::open(&site, "2025-11-25").await;
    let task = old.start_task(1, "ask", &json!({})).await;
    assert_eq!(site.send(old.delete()).await.status, 204);

    let session = LegacySession::open(&site, "2025-11-25").await;
    let mut stream = session.result_stream(1, &task).await;
    let asked = question(&mut stream).await;
    session.answer(&asked, &accept_name("Ada")).await;
    let result = result_of(&mut stream).await;
    assert_eq!(result["content"][0]["text"], "Hello, Ada!");
}

#[tokio::test(start_paused = true)]
async fn a_question_of_a_time_without_streams_is_asked_on_the_one_that_is_resumed() {
    let site = Site::open(server().0);
    let session = LegacySession::open(&site, "2025-11-25").await;
    let task = session
        .start_task(1, "wait_then_ask", &json!({"millis": 30_000}))
        .await;
    let mut stream = session.result_stream(2, &task).await;
    let priming = stream.event().await.expect("an event");
    drop(stream);
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(status(&session, &task).await, "input_required");

    let mut stream = site.send(session.resume(&priming.id.expect("an id"))).await;
    let asked = question(&mut stream).await;
    session.answer(&asked, &accept_name("Ada")).await;
    let result = result_of(&mut stream).await;
    assert_eq!(result["content"][0]["text"], "Hello, Ada!");
}
