//! Calls that are no tasks, or not yet: cancelled, taken up again, on their way to become one.

use std::time::Duration;

use mcp_tasks::Limits;
use serde_json::{Value, json};

use crate::arena::{Arena, Round, accepted, refused, text};
use crate::wire::{Answer, Kind, Response};

/// Milliseconds for which a call is parked, in the race with that.
const PARK: u64 = 16;

/// Makes a call and cancels it; the response that was sent before the cancellation was taken in, if any.
async fn cancelled_call(round: &Round, tool: &str) -> Option<Response> {
    let wire = round.wire(0);
    let steps = json!({ "steps": round.number % 16, "round": round.number });
    let params = json!({ "name": tool, "arguments": steps });
    let (mut call, line) = wire.request("tools/call", &params);
    let cancel = json!({
        "jsonrpc": "2.0",
        "method": "notifications/cancelled",
        "params": { "requestId": call.id },
    })
    .to_string();
    // Answered by whoever reads, so that its response tells when the cancellation was taken in.
    let fence = match round.arena.kind {
        Kind::Core => "ping",
        _ => "server/discover",
    };
    let (fence, fence_line) = wire.request(fence, &json!({}));
    if round.is(0, 3) {
        wire.write(&[&line, &cancel, &fence_line]).await;
    } else {
        wire.write(&[&line]).await;
        round.aim().await;
        wire.write(&[&cancel, &fence_line]).await;
    }
    for line in [line, cancel, fence_line] {
        round.note(line);
    }
    let fence = fence.response().await;
    round.note(fence.line);
    let response = call.try_response();
    match &response {
        Some(response) => {
            round.note(response.line.clone());
            assert!(
                response.place < fence.place,
                "answered after it was cancelled"
            );
        }
        None => wire.expect_no_response(&call),
    }
    round.adjust(response.is_none());
    response
}

async fn completion_round(round: Round) {
    if let Some(response) = cancelled_call(&round, "work").await {
        let result = response.answer.expect("a result");
        assert_eq!(text(&result), format!("worked {}", round.number));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_cancellation_of_a_request_and_its_response() {
    for kind in [Kind::Modern, Kind::Core] {
        let arena = Arena::open(kind, None, |_| {}).await;
        arena.rounds(2_000, completion_round).await;
    }
}

async fn conversion_round(round: Round) {
    let tool = if round.is(0, 2) { "after" } else { "manual" };
    let Some(response) = cancelled_call(&round, tool).await else {
        return;
    };
    let mut result = response.answer.expect("a result or a task");
    if result["resultType"] == "task" {
        // It is not the request any more that was cancelled.
        result = round.made(&result).ended().await["result"].take();
    }
    assert_eq!(text(&result), format!("worked {}", round.number));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_cancellation_of_a_request_and_its_becoming_a_task() {
    let arena = Arena::open(Kind::Extension, None, |_| {}).await;
    arena.rounds(3_000, conversion_round).await;
}

/// The state of a call that has asked.
async fn parked(round: &Round) -> Value {
    let call = round.call("ask", json!({ "steps": round.number % 3 }));
    let asked = round.ask(round.wire(0), "tools/call", call).await;
    let asked = asked.expect("questions");
    assert_eq!(asked["resultType"], "input_required");
    asked["requestState"].clone()
}

fn retry(round: &Round, state: &Value, name: &str) -> Value {
    let mut params = round.call("ask", json!({ "steps": round.number % 3 }));
    params["requestState"] = state.clone();
    params["inputResponses"]["name"] = accepted(name);
    params
}

async fn retry_round(round: Round) {
    let state = parked(&round).await;
    let names = ["Ada", "Bob"];
    let first = retry(&round, &state, names[0]);
    let second = retry(&round, &state, names[1]);
    let first = round.start(round.wire(1), "tools/call", first).await;
    let second = round.start(round.wire(2), "tools/call", second).await;
    let answers = [round.noted(first).await, round.noted(second).await];
    let winner = usize::from(answers[0].is_err());
    let result = answers[winner].as_ref().expect("one is served");
    assert_eq!(text(result), names[winner]);
    refused(&answers[1 - winner]);
    let late = retry(&round, &state, "Eve");
    refused(&round.ask(round.wire(0), "tools/call", late).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_retries_of_one_call() {
    let arena = Arena::open(Kind::Modern, None, |_| {}).await;
    arena.rounds(1_000, retry_round).await;
}

async fn park_round(round: Round) {
    let state = parked(&round).await;
    round.aim_by_clock().await;
    let params = retry(&round, &state, "Ada");
    let answer: Answer = round.ask(round.wire(1), "tools/call", params).await;
    let passed = round.arena.bodies.has_passed(round.number);
    match &answer {
        Ok(result) => assert!(passed && text(result) == "Ada", "{result}"),
        refusal => {
            refused(refusal);
            assert!(!passed, "{refusal:?}");
        }
    }
    round.adjust(passed);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_retry_and_the_end_of_the_wait_for_it() {
    let brief = |limits: &mut Limits| limits.park = Duration::from_millis(PARK);
    let arena = Arena::open(Kind::Modern, None, brief).await;
    arena.rounds(3_000, park_round).await;
}
