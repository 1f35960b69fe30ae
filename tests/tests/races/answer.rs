//! An answer, and what makes it too late: the end of the task's time, a cancellation, another answer.

use std::time::Duration;

use mcp_tasks::Limits;
use serde_json::{Value, json};

use crate::arena::{Arena, Round, Task, accepted, refused, text};
use crate::wire::{Answer, Kind, Pending, Wire};

/// Milliseconds after which a task that asks expires, in the races with its expiry.
const LIFE: u64 = 16;

/// A task that asks.
struct Asking<'r> {
    task: Task<'r>,
    /// The question, where it came as a request.
    question: Value,
    wait: Option<Pending>,
}

impl<'r> Asking<'r> {
    /// Makes one; somebody waits for its result where that is possible.
    async fn open(round: &'r Round) -> Self {
        let steps = json!({ "steps": round.number % 3 });
        let task = round.task("ask", steps).await;
        let (mut wait, mut question) = (None, Value::Null);
        if round.arena.kind == Kind::Core {
            wait = Some(task.start(1, "tasks/result").await);
            question = round.wire(0).question(&task.id).await;
        } else {
            task.asks().await;
        }
        Self {
            task,
            question,
            wait,
        }
    }

    /// The same where the question may have had its time before it could be put: `None`, and the body has said
    /// so.
    async fn open_briefly(round: &'r Round) -> Option<Self> {
        if round.arena.kind != Kind::Core {
            return Some(Self::open(round).await);
        }
        let task = round.task("ask", json!({ "steps": 0 })).await;
        let wait = task.start(1, "tasks/result").await;
        let over = task.start(2, "tasks/result").await;
        let question = tokio::select! {
            question = round.wire(0).question(&task.id) => question,
            over = round.noted(over) => {
                assert_eq!(over.expect("a result")["isError"], true);
                return None;
            }
        };
        Some(Self {
            task,
            question,
            wait: Some(wait),
        })
    }

    /// What can be asked about it.
    fn methods(&self) -> &'static [&'static str] {
        match self.question {
            Value::Null => &["tasks/get", "tasks/cancel"],
            _ => &["tasks/get", "tasks/result", "tasks/cancel"],
        }
    }

    /// Answers it; where that is a request, here is what will come of it.
    async fn answer(&self, round: &Round, name: &str) -> Option<Pending> {
        if round.arena.kind == Kind::Core {
            let id = &self.question["id"];
            let answer = json!({ "jsonrpc": "2.0", "id": id, "result": accepted(name) });
            write(round, round.wire(0), answer).await;
            return None;
        }
        Some(self.task.update(2, name).await)
    }
}

async fn write(round: &Round, wire: &Wire, message: Value) {
    let line = message.to_string();
    wire.write(&[&line]).await;
    round.note(line);
}

async fn noted(round: &Round, pending: Option<Pending>) -> Option<Answer> {
    Some(round.noted(pending?).await)
}

async fn expiry_round(round: Round) {
    let mut asking = Asking::open(&round).await;
    round.aim_by_clock().await;
    let update = asking.answer(&round, "Ada").await;
    let update = noted(&round, update).await;
    let wait = noted(&round, asking.wait.take()).await;
    let expired = asking.task.ends_or_expires().await;
    let passed = round.arena.bodies.has_passed(round.number);
    assert_eq!(expired, !passed, "what came too late was taken");
    if let Some(answer) = update {
        if passed {
            assert_eq!(
                answer.expect("an acknowledgement")["resultType"],
                "complete"
            );
        } else if answer.is_err() {
            refused(&answer);
        }
    }
    match wait {
        Some(Ok(result)) => assert!(passed && text(&result) == "Ada", "{result}"),
        Some(refusal) => {
            refused(&refusal);
            assert!(!passed, "{refusal:?}");
        }
        None => {}
    }
    let late = asking.answer(&round, "Eve").await;
    if let Some(late) = noted(&round, late).await {
        assert_eq!(late.is_err(), expired, "{late:?}");
    }
    if expired {
        for method in asking.methods() {
            refused(&asking.task.ask(2, method).await);
        }
        assert!(!round.arena.bodies.has_passed(round.number), "taken later");
    }
    round.adjust(passed);
}

async fn race_expiry(kind: Kind) {
    let arena = Arena::open(kind, Some(LIFE), |_| {}).await;
    arena.rounds(10_000, expiry_round).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_and_the_expiry_of_an_extension_task() {
    race_expiry(Kind::Extension).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_and_the_expiry_of_a_core_task() {
    race_expiry(Kind::Core).await;
}

async fn cancel_round(round: Round) {
    let mut asking = Asking::open(&round).await;
    let (update, cancel);
    if round.is(0, 2) {
        update = asking.answer(&round, "Ada").await;
        round.aim().await;
        cancel = asking.task.start(1, "tasks/cancel").await;
    } else {
        cancel = asking.task.start(1, "tasks/cancel").await;
        update = asking.answer(&round, "Ada").await;
    }
    let cancelled = round.noted(cancel).await;
    if let Some(answer) = noted(&round, update).await {
        answer.expect("an acknowledgement, whether or not it was used");
    }
    let ended = asking.task.ended().await;
    let passed = round.arena.bodies.has_passed(round.number);
    let won = ended["status"] == "cancelled";
    if round.arena.kind == Kind::Core {
        match &cancelled {
            Ok(task) => assert!(won && task["status"] == "cancelled", "{ended}"),
            refusal => refused(refusal),
        }
        assert_eq!(cancelled.is_ok(), won, "{ended}");
        assert!(won || passed, "{ended}");
        let wait = noted(&round, asking.wait.take())
            .await
            .expect("somebody waits");
        let again = asking.task.ask(2, "tasks/result").await;
        for result in [wait, again] {
            let expected = if won { "Task was cancelled" } else { "Ada" };
            assert_eq!(text(&result.expect("a result")), expected);
        }
    } else {
        cancelled.expect("an acknowledgement, whoever won");
        // What the body did with the answer is its result.
        assert_eq!(won, !passed, "{ended}");
        if passed {
            assert_eq!(ended["status"], "completed");
            assert_eq!(text(&ended["result"]), "Ada");
        }
    }
    let late = asking.answer(&round, "Eve").await;
    if let Some(answer) = noted(&round, late).await {
        answer.expect("an acknowledgement");
    }
    assert_eq!(asking.task.ask(0, "tasks/get").await, Ok(ended));
    round.adjust(won);
}

async fn race_cancel(kind: Kind) {
    let arena = Arena::open(kind, None, |_| {}).await;
    arena.rounds(10_000, cancel_round).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_and_an_extension_cancel() {
    race_cancel(Kind::Extension).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_and_a_core_cancel() {
    race_cancel(Kind::Core).await;
}

async fn two_answers_round(round: Round) {
    let mut asking = Asking::open(&round).await;
    let (wire, other) = (round.number % 2, 1 + round.number % 2);
    let (first, second) = match round.arena.kind {
        Kind::Core => (
            asking.answer(&round, "Ada").await,
            asking.answer(&round, "Bob").await,
        ),
        _ => (
            Some(asking.task.update(wire, "Ada").await),
            Some(asking.task.update(other, "Bob").await),
        ),
    };
    for update in [first, second] {
        if let Some(answer) = noted(&round, update).await {
            answer.expect("an acknowledgement");
        }
    }
    let ended = asking.task.ended().await;
    assert_eq!(ended["status"], "completed");
    if round.arena.kind == Kind::Core {
        let wait = noted(&round, asking.wait.take())
            .await
            .expect("somebody waits");
        assert_eq!(
            text(&wait.expect("a result")),
            "Ada",
            "the first one counts"
        );
    } else {
        let name = text(&ended["result"]);
        assert!(["Ada", "Bob"].contains(&name), "{ended}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_answers_to_one_question() {
    for kind in crate::wire::BOTH {
        let arena = Arena::open(kind, None, |_| {}).await;
        arena.rounds(1_000, two_answers_round).await;
    }
}

/// The question itself has its time, too: the body then goes on without an answer, and ends with an error.
async fn wait_round(round: Round) {
    let Some(mut asking) = Asking::open_briefly(&round).await else {
        return round.adjust(false);
    };
    round.aim_by_clock().await;
    let update = asking.answer(&round, "Ada").await;
    if let Some(answer) = noted(&round, update).await {
        answer.expect("an acknowledgement");
    }
    let ended = asking.task.ended().await;
    let passed = round.arena.bodies.has_passed(round.number);
    let result = match noted(&round, asking.wait.take()).await {
        Some(result) => result.expect("a result"),
        None => ended["result"].clone(),
    };
    assert_eq!(result["isError"] == true, !passed, "{result}");
    assert_eq!(text(&result) == "Ada", passed, "{result}");
    round.adjust(passed);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_and_the_end_of_the_wait_for_it() {
    for kind in crate::wire::BOTH {
        let brief = |limits: &mut Limits| limits.max_wait = Duration::from_millis(LIFE);
        let arena = Arena::open(kind, None, brief).await;
        arena.rounds(1_000, wait_round).await;
    }
}
