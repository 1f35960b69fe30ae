//! Tasks of the SEP-1686 draft: a call with an id of its client's, which gets its own response as well.

use serde_json::{Value, json};
use tokio::task::yield_now;

use crate::arena::{Arena, Round, accepted, refused, text};
use crate::wire::{Answer, Kind, Pending};

/// Bodies take up to so many steps.
const STEPS: usize = 24;

/// The id that a round gives its task.
fn name(round: &Round) -> String {
    format!("t-{}", round.number)
}

async fn call(round: &Round, tool: &str, arguments: Value) -> Pending {
    let mut params = round.call(tool, arguments);
    params["_meta"] = json!({ "modelcontextprotocol.io/task": { "taskId": name(round) } });
    round.start(round.wire(0), "tools/call", params).await
}

async fn ask(round: &Round, method: &str) -> Answer {
    let params = json!({ "taskId": name(round) });
    round.ask(round.wire(0), method, params).await
}

async fn cancel(round: &Round, call: &Pending) {
    let params = json!({ "requestId": call.id });
    let message =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
    let line = message.to_string();
    round.wire(0).write(&[&line]).await;
    round.note(line);
}

/// The status at the end, which stays, or `None` where no task was made.
async fn end(round: &Round) -> Option<String> {
    loop {
        let task = match ask(round, "tasks/get").await {
            Ok(task) => task,
            unknown => {
                refused(&unknown);
                return None;
            }
        };
        let status = task["status"].as_str().expect("a status").to_owned();
        if ["completed", "failed", "cancelled"].contains(&status.as_str()) {
            yield_now().await;
            assert_eq!(ask(round, "tasks/get").await, Ok(task), "it changed");
            return Some(status);
        }
        yield_now().await;
    }
}

/// A response came, or none ever will: what ends the request is done by the time that its task is over.
fn response(round: &Round, mut call: Pending) -> Option<Answer> {
    let response = call.try_response();
    if response.is_none() {
        round.wire(0).expect_no_response(&call);
    }
    response.map(|response| {
        round.note(response.line);
        response.answer
    })
}

async fn judge_result(round: &Round, status: &str, worked: &str) {
    match ask(round, "tasks/result").await {
        Ok(result) => {
            assert_eq!(status, "completed");
            assert_eq!(text(&result), worked);
        }
        refusal => {
            assert_ne!(status, "completed", "{refusal:?}");
            refused(&refusal);
        }
    }
}

/// Deleted, the id is free: it is another task's at once, and nothing of the old one gets in its way.
async fn use_again(round: &Round) {
    ask(round, "tasks/delete").await.expect("an end");
    refused(&ask(round, "tasks/get").await);
    let again = call(round, "work", json!({ "steps": 0 })).await;
    let again = round.noted(again).await.expect("a result");
    assert_eq!(text(&again), format!("worked {}", round.number));
    assert_eq!(end(round).await.as_deref(), Some("completed"));
    ask(round, "tasks/delete").await.expect("an end");
}

async fn cancel_round(round: Round, tool: &str) {
    let call = call(&round, tool, json!({ "steps": round.number % STEPS })).await;
    round.aim().await;
    cancel(&round, &call).await;
    let ended = end(&round).await;
    let worked = format!("worked {}", round.number);
    match (&ended, response(&round, call)) {
        (Some(status), Some(answer)) => {
            assert_eq!(status, "completed");
            assert_eq!(text(&answer.expect("a result")), worked);
        }
        // Cancelled as it was written down that it had ended.
        (_, None) => {}
        (None, Some(answer)) => panic!("no task, and {answer:?}"),
    }
    round.adjust(ended.as_deref() != Some("completed"));
    if let Some(status) = ended {
        judge_result(&round, &status, &worked).await;
        use_again(&round).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_draft_cancel_and_a_completion() {
    for (rounds, tool) in [(7_000, "work"), (3_000, "heed")] {
        let arena = Arena::open(Kind::Draft, None, |_| {}).await;
        arena
            .rounds(rounds, |round| cancel_round(round, tool))
            .await;
    }
}

async fn answer_round(round: Round) {
    let call = call(&round, "ask", json!({ "steps": round.number % 3 })).await;
    let question = round.wire(0).question(&name(&round)).await;
    let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": accepted("Ada") });
    let answer = answer.to_string();
    let wire = round.wire(0);
    if round.is(0, 2) {
        wire.write(&[&answer]).await;
        round.aim().await;
        cancel(&round, &call).await;
    } else {
        cancel(&round, &call).await;
        wire.write(&[&answer]).await;
    }
    let ended = end(&round).await.expect("a task");
    let passed = round.arena.bodies.has_passed(round.number);
    if let Some(answer) = response(&round, call) {
        assert_eq!(text(&answer.expect("a result")), "Ada");
        assert_eq!(ended, "completed");
    }
    assert!(passed || ended == "cancelled", "{ended}");
    judge_result(&round, &ended, "Ada").await;
    round.adjust(ended == "cancelled");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_and_a_draft_cancel() {
    let arena = Arena::open(Kind::Draft, None, |_| {}).await;
    arena.rounds(10_000, answer_round).await;
}

/// Two calls with one id and two deletions of it, with reads in between: every request is answered once.
async fn one_id_round(round: Round) {
    let steps = || json!({ "steps": round.number % STEPS });
    let calls = [
        call(&round, "work", steps()).await,
        call(&round, "work", steps()).await,
    ];
    round.aim().await;
    let wire = round.wire(0);
    let task = json!({ "taskId": name(&round) });
    let mut about = Vec::new();
    for method in ["tasks/delete", "tasks/get", "tasks/delete", "tasks/result"] {
        about.push(round.start(wire, method, task.clone()).await);
    }
    let mut made = 0;
    for call in calls {
        match round.noted(call).await {
            Ok(result) => {
                assert_eq!(text(&result), format!("worked {}", round.number));
                made += 1;
            }
            refusal => refused(&refusal),
        }
    }
    let mut deleted = 0;
    for (pending, method) in about.into_iter().zip(["delete", "get", "delete", "result"]) {
        match round.noted(pending).await {
            Ok(_) => deleted += usize::from(method == "delete"),
            refusal => refused(&refusal),
        }
    }
    assert!(made > 0, "nobody got the id");
    round.adjust(deleted == 0);
    if ask(&round, "tasks/delete").await.is_ok() {
        deleted += 1;
    }
    assert!(deleted > 0, "it is still there");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_and_deletions_of_one_id() {
    let arena = Arena::open(Kind::Draft, None, |_| {}).await;
    arena.rounds(10_000, one_id_round).await;
}
