//! A cancellation and the end of the work.

use serde_json::{Value, json};

use crate::arena::{Arena, Round, refused, text};
use crate::wire::{Answer, Kind, Pending};

/// Bodies take up to so many steps.
const STEPS: usize = 24;

async fn extension_round(round: Round, tool: &str) {
    let steps = json!({ "steps": round.number % STEPS });
    let task = round.task(tool, steps).await;
    round.aim().await;
    let first = task.start(1, "tasks/cancel").await;
    let mut cancels = vec![first];
    if round.is(0, 4) {
        cancels.push(task.start(2, "tasks/cancel").await);
    }
    for cancel in cancels {
        acknowledged(&round.noted(cancel).await);
    }
    let ended = task.ended().await;
    acknowledged(&task.ask(0, "tasks/cancel").await);
    assert_eq!(task.ask(0, "tasks/get").await.as_ref(), Ok(&ended));
    judge_end(&round, tool, &ended);
    // A body that panics when it is cancelled fails either way.
    if tool != "boom" {
        round.adjust(ended["status"] == "cancelled");
    }
}

fn acknowledged(answer: &Answer) {
    let ack = answer.as_ref().expect("an acknowledgement");
    assert_eq!(ack["resultType"], "complete");
    let members = ack.as_object().expect("an object").keys();
    let own: Vec<&String> = members
        .filter(|key| !["resultType", "_meta"].contains(&key.as_str()))
        .collect();
    assert!(own.is_empty(), "{ack}");
}

/// Whichever won, the task has its outcome whole.
fn judge_end(round: &Round, tool: &str, ended: &Value) {
    let worked = format!("worked {}", round.number);
    match ended["status"].as_str() {
        Some("completed") => assert_eq!(text(&ended["result"]), worked),
        Some("failed") => {
            assert_eq!(tool, "boom", "{ended}");
            assert_eq!(ended["error"]["code"], -32603);
        }
        Some("cancelled") => assert!(ended.get("result").is_none(), "{ended}"),
        _ => panic!("{ended}"),
    }
}

async fn core_round(round: Round, tool: &str) {
    let steps = json!({ "steps": round.number % STEPS });
    let task = round.task(tool, steps).await;
    let mut waits = Vec::new();
    for wire in 0..round.number % 3 {
        waits.push(task.start(wire, "tasks/result").await);
    }
    round.aim().await;
    let mut cancels = vec![task.start(1, "tasks/cancel").await];
    if round.is(0, 4) {
        cancels.push(task.start(2, "tasks/cancel").await);
    }
    waits.push(task.start(2, "tasks/result").await);
    let granted = granted(&round, cancels).await;
    let ended = task.ended().await;
    judge_core_end(&round, tool, &ended, granted);
    for wait in waits {
        judge_result(&round, tool, &round.noted(wait).await, granted);
    }
    refused(&task.ask(0, "tasks/cancel").await);
    judge_result(&round, tool, &task.ask(0, "tasks/result").await, granted);
    assert_eq!(task.ask(0, "tasks/get").await.as_ref(), Ok(&ended));
    round.adjust(granted);
}

/// Whether a cancel was granted; of several at most one is.
async fn granted(round: &Round, cancels: Vec<Pending>) -> bool {
    let mut granted = 0;
    for cancel in cancels {
        match round.noted(cancel).await {
            Ok(task) => {
                assert_eq!(task["status"], "cancelled");
                granted += 1;
            }
            refusal => refused(&refusal),
        }
    }
    assert!(granted <= 1, "granted twice");
    granted == 1
}

fn judge_core_end(round: &Round, tool: &str, ended: &Value, granted: bool) {
    let own = if tool == "boom" {
        "failed"
    } else {
        "completed"
    };
    let expected = if granted { "cancelled" } else { own };
    assert_eq!(ended["status"], expected, "round {}", round.number);
}

fn judge_result(round: &Round, tool: &str, answer: &Answer, granted: bool) {
    match answer {
        Ok(result) if granted => {
            assert_eq!(result["isError"], true);
            assert_eq!(text(result), "Task was cancelled");
        }
        Ok(result) => assert_eq!(text(result), format!("worked {}", round.number)),
        Err((code, _)) => assert!(tool == "boom" && !granted && *code == -32603, "{answer:?}"),
    }
}

async fn race(kind: Kind, rounds: usize, tool: &'static str) {
    let arena = Arena::open(kind, None, |_| {}).await;
    match kind {
        Kind::Core => arena.rounds(rounds, |round| core_round(round, tool)).await,
        _ => {
            arena
                .rounds(rounds, |round| extension_round(round, tool))
                .await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_extension_cancel_and_a_completion() {
    race(Kind::Extension, 7_000, "work").await;
    race(Kind::Extension, 3_000, "heed").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_core_cancel_and_a_completion() {
    race(Kind::Core, 7_000, "work").await;
    race(Kind::Core, 3_000, "heed").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancel_and_a_panic() {
    race(Kind::Extension, 500, "boom").await;
    race(Kind::Core, 500, "boom").await;
}
