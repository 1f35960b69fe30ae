//! A server with several connections, on which many rounds of one race are run at a time.

use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mcp_tasks::testing::{Tables, tables};
use mcp_tasks::{Limits, Server};
use serde_json::{Value, json};
use tokio::task::{JoinSet, yield_now};
use tokio::time::timeout;

use crate::bodies::{Bodies, Counts};
use crate::store::ShortLived;
use crate::tools;
use crate::wire::{Answer, Kind, Pending, Wire};

/// Rounds under way at a time.
const AT_ONCE: usize = 24;

/// A round that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server and its connections.
pub(crate) struct Arena {
    /// The kind of its connections.
    pub(crate) kind: Kind,
    /// The server.
    pub(crate) server: Server,
    /// What its tools did.
    pub(crate) bodies: Bodies,
    store: ShortLived,
    wires: Vec<Arc<Wire>>,
    aim: Aim,
}

impl Arena {
    /// A server with three connections of this kind. `life` is how long
    /// its questions may wait, in milliseconds.
    pub(crate) async fn open(
        kind: Kind,
        life: Option<u64>,
        change: impl FnOnce(&mut Limits),
    ) -> Arc<Self> {
        let (store, bodies) = (ShortLived::new(life), Bodies::default());
        let mut limits = Limits::default();
        change(&mut limits);
        let server = Server::new("races")
            .tools(tools::all())
            .limits(limits)
            .state(bodies.clone())
            .store(store.clone());
        let mut wires = Vec::new();
        for _ in 0..3 {
            wires.push(Wire::open(&server, kind).await);
        }
        Arc::new(Self {
            kind,
            server,
            bodies,
            store,
            wires,
            aim: Aim::default(),
        })
    }

    /// Runs `rounds` rounds, many at a time; then nothing may be left in any table.
    pub(crate) async fn rounds<F>(self: Arc<Self>, rounds: usize, play: impl Fn(Round) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let mut running = JoinSet::new();
        for number in 0..rounds {
            if running.len() == AT_ONCE {
                finished(running.join_next().await);
            }
            let log = Log::default();
            let round = Round {
                number,
                arena: Arc::clone(&self),
                log: log.clone(),
            };
            let play = play(round);
            running.spawn(async move {
                // Told when the round panics, too.
                let told = Told(number, log);
                let ended = timeout(PATIENCE, play).await;
                assert!(ended.is_ok(), "round {number} hangs");
                drop(told);
            });
        }
        while !running.is_empty() {
            finished(running.join_next().await);
        }
        let Ok(arena) = Arc::try_unwrap(self) else {
            panic!("a round is still under way");
        };
        arena.close().await;
    }

    async fn close(self) {
        for wire in self.wires {
            wire.close().await;
        }
        let late = self.bodies.0.late.load(Ordering::SeqCst);
        let started = self.bodies.0.started.load(Ordering::SeqCst);
        // A cancellation may fall between the server's last look and the first line. That is a moment, which few meet.
        assert!(
            late * 1_000 <= started,
            "{late} of {started} were cancelled before their first line, and begun"
        );
        let Aim { early, late, .. } = &self.aim;
        let (early, late) = (early.load(Ordering::SeqCst), late.load(Ordering::SeqCst));
        assert_eq!(early > 0, late > 0, "{early} to {late} is no race");
        self.store.end_of_time();
        let since = Instant::now();
        let left = |left: &Tables, bodies: &Counts| {
            let counts = [
                left.live_tasks,
                left.kept_tasks,
                left.watches,
                left.task_runs,
                left.parked_calls,
                left.connections,
                left.requests,
                left.questions,
                left.counted,
                bodies.started.load(Ordering::SeqCst) - bodies.ended.load(Ordering::SeqCst),
            ];
            counts.iter().sum::<usize>()
        };
        // A connection for the sleeper to run on has closed, and what it woke has yet to let go.
        while left(&tables(&self.server), &self.bodies.0) > 0 {
            assert!(since.elapsed() < PATIENCE, "{:?}", tables(&self.server));
            yield_now().await;
        }
    }
}

fn finished(round: Option<Result<(), tokio::task::JoinError>>) {
    if let Some(Err(error)) = round {
        std::panic::resume_unwind(error.into_panic());
    }
}

type Log = Arc<Mutex<Vec<String>>>;

/// Prints the transcript of a round that failed.
struct Told(usize, Log);

impl Drop for Told {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let log = self
                .1
                .lock()
                .map_or_else(|poisoned| poisoned.into_inner().clone(), |log| log.clone());
            eprintln!("round {}:\n{}", self.0, log.join("\n"));
        }
    }
}

/// One round.
pub(crate) struct Round {
    /// Which one.
    pub(crate) number: usize,
    /// Where.
    pub(crate) arena: Arc<Arena>,
    log: Log,
}

impl Round {
    /// One of the arena's connections; the round's own is the first.
    pub(crate) fn wire(&self, which: usize) -> &Arc<Wire> {
        &self.arena.wires[(self.number + which) % self.arena.wires.len()]
    }

    /// Whether the round's number is this, modulo `of`: the rounds differ in everything that can differ.
    pub(crate) fn is(&self, remainder: usize, of: usize) -> bool {
        self.number % of == remainder
    }

    /// Notes something for the transcript.
    pub(crate) fn note(&self, what: String) {
        self.log.lock().expect("no panic").push(what);
    }

    /// A request on its way.
    pub(crate) async fn start(&self, wire: &Wire, method: &str, params: Value) -> Pending {
        let (pending, line) = wire.request(method, &params);
        wire.write(&[&line]).await;
        self.note(line);
        pending
    }

    /// A request and its answer.
    pub(crate) async fn ask(&self, wire: &Wire, method: &str, params: Value) -> Answer {
        let pending = self.start(wire, method, params).await;
        self.noted(pending).await
    }

    /// An answer, noted.
    pub(crate) async fn noted(&self, pending: Pending) -> Answer {
        let response = pending.response().await;
        self.note(response.line);
        response.answer
    }

    /// The parameters of a call that a task may come of.
    pub(crate) fn call(&self, tool: &str, mut arguments: Value) -> Value {
        arguments["round"] = json!(self.number);
        let mut params = json!({ "name": tool, "arguments": arguments });
        if self.arena.kind == Kind::Core {
            params["task"] = json!({});
        }
        params
    }

    /// A new task.
    pub(crate) async fn task(&self, tool: &str, arguments: Value) -> Task<'_> {
        let created = self
            .ask(self.wire(0), "tools/call", self.call(tool, arguments))
            .await
            .expect("a task");
        self.made(&created)
    }

    /// The task that a call was answered with.
    pub(crate) fn made(&self, created: &Value) -> Task<'_> {
        let task = created.get("task").unwrap_or(created);
        let id = task["taskId"].as_str().expect("a task's id").to_owned();
        Task { round: self, id }
    }

    /// Lets others run for as long as the last rounds made likely to end in a draw.
    pub(crate) async fn aim(&self) {
        for _ in 0..self.arena.aim.wait.load(Ordering::Relaxed) {
            yield_now().await;
        }
    }

    /// The same against a clock, which strikes some milliseconds from now: in tenths of one.
    pub(crate) async fn aim_by_clock(&self) {
        let since = Instant::now();
        let wait = self.arena.aim.wait.load(Ordering::Relaxed).unsigned_abs();
        while since.elapsed() < wait * Duration::from_micros(100) {
            yield_now().await;
        }
    }

    /// How the race that was aimed at went: too early, or too late.
    pub(crate) fn adjust(&self, too_early: bool) {
        let Aim { wait, early, late } = &self.arena.aim;
        let (count, step) = if too_early { (early, 1) } else { (late, -1) };
        count.fetch_add(1, Ordering::Relaxed);
        let adjusted = (wait.load(Ordering::Relaxed) + step).clamp(0, 500);
        wait.store(adjusted, Ordering::Relaxed);
    }
}

/// How long to wait before the shot.
#[derive(Default)]
struct Aim {
    wait: AtomicI32,
    early: AtomicUsize,
    late: AtomicUsize,
}

/// A task of a round.
pub(crate) struct Task<'r> {
    round: &'r Round,
    /// Its id.
    pub(crate) id: String,
}

impl Task<'_> {
    /// A request about the task on its way, over one of the connections.
    pub(crate) async fn start(&self, wire: usize, method: &str) -> Pending {
        let wire = self.round.wire(wire);
        self.round.start(wire, method, self.params()).await
    }

    /// A request about the task, over one of the connections.
    pub(crate) async fn ask(&self, wire: usize, method: &str) -> Answer {
        let pending = self.start(wire, method).await;
        self.round.noted(pending).await
    }

    /// An answer to its question `name`, over one of the connections.
    pub(crate) async fn update(&self, wire: usize, name: &str) -> Pending {
        let mut params = self.params();
        params["inputResponses"]["name"] = accepted(name);
        let wire = self.round.wire(wire);
        self.round.start(wire, "tasks/update", params).await
    }

    fn params(&self) -> Value {
        json!({ "taskId": self.id })
    }

    /// Polls until the task's status is one of these.
    pub(crate) async fn until(&self, statuses: &[&str]) -> Value {
        loop {
            let task = self.ask(1, "tasks/get").await.expect("the task");
            if statuses.iter().any(|status| task["status"] == *status) {
                return task;
            }
            yield_now().await;
        }
    }

    /// The task at its end, which no later poll shows otherwise.
    pub(crate) async fn ended(&self) -> Value {
        let ended = self.until(&["completed", "failed", "cancelled"]).await;
        yield_now().await;
        let again = self.ask(2, "tasks/get").await.expect("the task");
        assert_eq!(ended, again, "an ended task changed");
        ended
    }

    /// Polls until the task has asked, whatever has come of it by then.
    pub(crate) async fn asks(&self) {
        while let Ok(task) = self.ask(1, "tasks/get").await
            && task["status"] == "working"
        {
            yield_now().await;
        }
    }

    /// Polls until the task has ended, or has expired, which is so.
    pub(crate) async fn ends_or_expires(&self) -> bool {
        loop {
            match self.ask(1, "tasks/get").await {
                Ok(task) if task["status"] == "completed" => return false,
                Ok(_) => yield_now().await,
                gone => {
                    refused(&gone);
                    return true;
                }
            }
        }
    }
}

/// An accepted form.
pub(crate) fn accepted(name: &str) -> Value {
    json!({ "action": "accept", "content": { "name": name } })
}

/// Asserts that the answer is the error for invalid parameters.
pub(crate) fn refused(answer: &Answer) {
    assert!(matches!(answer, Err((-32602, _))), "{answer:?}");
}

/// The text of a result's first content block.
pub(crate) fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_default()
}
