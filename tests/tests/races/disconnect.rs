//! A client that goes: what it was owed reaches it if it reads on, and its tasks live.

use std::sync::Arc;

use serde_json::json;
use tokio::task::yield_now;

use crate::arena::{Arena, Round, accepted, text};
use crate::wire::{BOTH, Kind, Wire};

/// Steps of a body, and of what happens meanwhile.
const STEPS: usize = 12;

async fn end_of_input_round(round: Round) {
    let wire = Wire::open(&round.arena.server, round.arena.kind).await;
    let steps = json!({ "steps": round.number % STEPS });
    let plain = json!({ "name": "plain", "arguments": { "steps": round.number % STEPS } });
    let (task, task_line) = wire.request("tools/call", &round.call("work", steps));
    let (call, call_line) = wire.request("tools/call", &plain);
    let (get, get_line) = wire.request("tasks/get", &json!({ "taskId": "bogus" }));
    wire.write(&[&task_line, &call_line, &get_line]).await;
    for line in [task_line, call_line, get_line] {
        round.note(line);
    }
    for _ in 0..round.number % STEPS {
        yield_now().await;
    }
    wire.close().await;
    crate::arena::refused(&round.noted(get).await);
    assert_eq!(text(&round.noted(call).await.expect("a result")), "plain");
    let created = round.noted(task).await.expect("a task");
    let ended = round.made(&created).ended().await;
    assert_eq!(ended["status"], "completed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_end_of_the_input_and_the_responses() {
    for kind in BOTH {
        let arena = Arena::open(kind, None, |_| {}).await;
        arena.rounds(1_000, end_of_input_round).await;
    }
}

async fn death_round(round: Round) {
    let wire = Wire::open(&round.arena.server, round.arena.kind).await;
    let steps = json!({ "steps": round.number % STEPS });
    let task = round.start(&wire, "tools/call", round.call("work", steps.clone()));
    let task = task.await;
    let ask = round.start(&wire, "tools/call", round.call("heed", steps));
    let _ask = ask.await;
    let created = if round.is(0, 2) {
        Some(round.noted(task).await.expect("a task"))
    } else {
        None
    };
    wire.die().await;
    if let Some(created) = created {
        let ended = round.made(&created).ended().await;
        assert_eq!(ended["status"], "completed");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_death_of_a_client_and_its_tasks() {
    for kind in BOTH {
        let arena = Arena::open(kind, None, |_| {}).await;
        arena.rounds(1_000, death_round).await;
    }
}

async fn lost_question_round(round: Round) {
    let wire = Wire::open(&round.arena.server, Kind::Core).await;
    let call = round.call("ask", json!({ "steps": round.number % STEPS }));
    let created = round.start(&wire, "tools/call", call).await;
    let created = round.noted(created).await.expect("a task");
    let task = round.made(&created);
    if round.is(0, 3) {
        wire.question(&task.id).await;
    }
    let (wait, gone) = tokio::join!(task.start(1, "tasks/result"), tokio::spawn(wire.die()));
    gone.expect("it dies");
    let wire: &Arc<Wire> = round.wire(1);
    let question = wire.question(&task.id).await;
    let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": accepted("Ada") });
    wire.write(&[&answer.to_string()]).await;
    let result = round.noted(wait).await.expect("a result");
    assert_eq!(text(&result), "Ada");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_death_of_a_client_and_its_question() {
    let arena = Arena::open(Kind::Core, None, |_| {}).await;
    arena.rounds(1_000, lost_question_round).await;
}
