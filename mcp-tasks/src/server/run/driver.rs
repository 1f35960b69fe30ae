//! The one task that polls a body, from its turn to its end.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Poll, Wake, Waker};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep};
use tracing::Span;

use super::body::Body;
use super::ending::Ending;
use super::task_mode::Announced;
use super::{Mode, Plan, Run};
use crate::model::cancel::CancelReason;
use crate::model::clock::from_now;
use crate::model::concurrency::{lock, spawn};
use crate::model::error::AskError;
use crate::tool::BoxFuture;
use crate::tool::Output;
use crate::tool::guard::Panicked;

/// Polls one body, and alone decides what its run is attached to.
pub(super) struct Driver {
    pub(super) run: Arc<Run>,
    pub(super) body: Body,
    /// The body has been polled.
    begun: bool,
    /// Where somebody collects it.
    span: Option<Box<Span>>,
    /// The right to run, given back while the body waits for answers.
    pub(super) permit: Option<OwnedSemaphorePermit>,
    clock: RunClock,
    /// When an inline call that could be a task becomes one.
    pub(super) after: Option<Instant>,
    /// When a body that winds down is dropped.
    grace: Option<Instant>,
    /// The run is a task, and on the table of those.
    pub(super) is_task: bool,
    /// When to read the record after a store that could not.
    pub(super) reread: Option<Instant>,
    pub(super) announced: Announced,
    sleep: Option<Pin<Box<Sleep>>>,
}

impl Driver {
    pub(super) fn new(run: Arc<Run>, body: BoxFuture<'static, Output>, span: &Span) -> Self {
        #[cfg(feature = "testing")]
        run.core.runs.send_modify(|runs| *runs += 1);
        let clock = RunClock {
            left: run.tool.policy.run_budget,
            since: None,
        };
        Self {
            run,
            body: Body::new(body),
            begun: false,
            span: (!span.is_disabled()).then(|| Box::new(span.clone())),
            permit: None,
            clock,
            after: None,
            grace: None,
            is_task: false,
            reread: None,
            announced: Announced::default(),
            sleep: None,
        }
    }

    /// Notes in the run's span what was not known when it began.
    pub(super) fn record(&self, field: &str, value: &str) {
        if let Some(span) = &self.span {
            span.record(field, value);
        }
    }

    pub(super) async fn drive(&mut self) {
        if self.become_planned().await {
            let ending = self.run_body().await;
            let told = self.told(ending);
            self.finish(told).await;
        }
    }

    /// Makes the run a task where it is one from the first. `false` if it was to be one and cannot.
    async fn become_planned(&mut self) -> bool {
        let plan = lock(&self.run.state).mode.plan().cloned();
        match plan {
            Some(Plan::Task(kind)) => {
                if let Err(error) = self.become_task(kind).await {
                    self.not_created(&error);
                    return false;
                }
            }
            Some(Plan::After(after)) => self.after = Some(from_now(after)),
            Some(Plan::Inline | Plan::Manual) | None => {}
        }
        true
    }

    async fn run_body(&mut self) -> Ending {
        if !self.take_turn().await {
            return Ending::Stopped;
        }
        if !self.start_task().await {
            return Ending::Unrecorded;
        }
        if self.run.stop.reason().is_some() {
            // Cancelled before its first line: it never starts.
            return Ending::Stopped;
        }
        loop {
            if self.run.stop.reason().is_some() && !self.wind_down() {
                return Ending::Stopped;
            }
            if !self.hand_over_answers().await {
                continue;
            }
            match self.poll_body() {
                Poll::Ready(Ok(output)) => return Ending::Returned(output),
                Poll::Ready(Err(panicked)) => return Ending::Panicked(panicked),
                Poll::Pending => {}
            }
            self.flush().await;
            self.settle_turn();
            self.wait().await;
            if self.run.record_changed() || passed(self.reread) {
                self.read_record().await;
            }
            self.pass_deadlines();
        }
    }

    fn poll_body(&mut self) -> Poll<Result<Output, Panicked>> {
        // Not kept beside the run: of every task that waits there is one of these.
        let waker = Waker::from(Arc::clone(&self.run));
        if std::mem::replace(&mut self.begun, true) {
            return self.body.poll(&waker);
        }
        let start = std::time::Instant::now();
        let polled = self.body.poll(&waker);
        match &polled {
            Poll::Ready(Err(_)) => self.run.tool.quick.panicked(),
            _ => self.run.tool.quick.took(start.elapsed()),
        }
        polled
    }

    /// Waits for the right to run; `false` if the run is stopped first.
    async fn take_turn(&mut self) -> bool {
        if self.permit.is_none()
            && let Some(permits) = self.run.tool.permits.clone()
        {
            if let Ok(permit) = Arc::clone(&permits).try_acquire_owned() {
                self.permit = Some(permit);
            } else {
                self.say_queued().await;
                // In a box of its own, as all that few runs come to: every run would carry its size.
                if !Box::pin(self.queue(permits)).await {
                    return false;
                }
            }
        }
        self.clock.start();
        self.run.stop.reason().is_none()
    }

    async fn queue(&mut self, permits: Arc<Semaphore>) -> bool {
        let mut turn = pin!(permits.acquire_owned());
        while self.run.stop.reason().is_none() {
            tokio::select! {
                biased;
                () = self.run.attention.notified() => if self.run.record_changed() {
                    self.read_record().await;
                },
                permit = &mut turn => {
                    self.permit = permit.ok();
                    return true;
                }
                () = reached(self.reread) => self.read_record().await,
                () = reached(self.after) => {
                    self.become_task_or_stay().await;
                    self.say_queued().await;
                }
            }
        }
        false
    }

    /// Hands arrived answers to the body, once it has the right to run again. `false` if it was stopped.
    async fn hand_over_answers(&mut self) -> bool {
        if self.grace.is_some() {
            return true;
        }
        let nothing_open = {
            let state = lock(&self.run.state);
            if !state.questions.has_arrived() && !state.questions.open.is_empty() {
                return true;
            }
            !state.questions.has_arrived()
        };
        // A body that waits for nothing, or is about to go on, runs: it needs its turn.
        if !self.take_turn().await {
            return false;
        }
        if !nothing_open {
            let delivered = lock(&self.run.state).questions.hand_over();
            self.delivered(delivered).await;
        }
        true
    }

    /// While the body waits for answers its permit and its time are not used up.
    fn settle_turn(&mut self) {
        let waits = lock(&self.run.state)
            .questions
            .unanswered()
            .next()
            .is_some();
        if waits {
            self.clock.stop();
            self.permit = None;
        }
    }

    /// The run was told to stop. Whether the body may go on for a while to wind down.
    fn wind_down(&mut self) -> bool {
        if self.grace.is_none() {
            let mut state = lock(&self.run.state);
            state.questions.end_all(&AskError::Cancelled);
            state.begin.clear();
            drop(state);
            self.clock.stop();
            if self.run.tool.winds_down {
                self.grace = Some(from_now(self.run.tool.policy.cancel_grace));
            }
        }
        self.grace.is_some_and(|end| Instant::now() < end)
    }

    /// Waits until there may be something to do, or a deadline passes.
    async fn wait(&mut self) {
        let deadline = self.deadline();
        if let Some(deadline) = deadline {
            self.set_sleep(deadline);
        }
        let Self { run, sleep, .. } = self;
        let mut sleep = sleep.as_mut().filter(|_| deadline.is_some());
        let mut attention = pin!(run.attention.notified());
        poll_fn(|cx| match &mut sleep {
            _ if attention.as_mut().poll(cx).is_ready() => Poll::Ready(()),
            Some(sleep) => sleep.as_mut().poll(cx),
            None => Poll::Pending,
        })
        .await;
    }

    /// The next moment at which something happens by itself.
    fn deadline(&self) -> Option<Instant> {
        let state = lock(&self.run.state);
        let (progress, park) = match state.mode {
            Mode::Parked { until, .. } => (None, Some(until)),
            _ => (state.progress.due(), None),
        };
        let message = if self.is_task {
            state.message.due(Instant::now())
        } else {
            None
        };
        let inline = matches!(state.mode, Mode::Inline(_));
        [
            self.clock.deadline(),
            self.after.filter(|_| inline),
            self.grace,
            self.reread,
            park,
            progress,
            message,
        ]
        .into_iter()
        .flatten()
        .min()
    }

    fn pass_deadlines(&mut self) {
        if passed(self.clock.deadline()) {
            self.run.stop(CancelReason::TimedOut);
        }
        // Under the lock: a client that comes back is either in time or told that it is not.
        let state = lock(&self.run.state);
        if let Mode::Parked { until, .. } = state.mode
            && passed(Some(until))
        {
            self.run.stop(CancelReason::Abandoned);
        }
    }

    fn set_sleep(&mut self, deadline: Instant) {
        match &mut self.sleep {
            Some(sleep) if sleep.deadline() == deadline => {}
            Some(sleep) => sleep.as_mut().reset(deadline),
            None => self.sleep = Some(Box::pin(tokio::time::sleep_until(deadline))),
        }
    }

    /// Lets go of the body. A thread that cannot be stopped keeps its right to run until it ends.
    pub(super) fn let_go(&mut self) {
        let body = std::mem::replace(&mut self.body, Body::gone());
        let permit = self.permit.take();
        if self.run.tool.policy.blocking && permit.is_some() && !body.is_gone() {
            let outlasting = async move {
                body.outlast().await;
                drop(permit);
            };
            spawn(&self.run.runtime, Box::pin(outlasting));
        }
    }
}

impl Drop for Driver {
    /// The end of every run, also of one whose runtime is dropped.
    fn drop(&mut self) {
        // The body goes first: its destructors may still withdraw questions.
        self.let_go();
        self.run.end();
        #[cfg(feature = "testing")]
        self.run.core.runs.send_modify(|runs| *runs -= 1);
    }
}

/// What a body wakes: the driver's attention. The driver's own task cannot tell who woke it: a body that has to
/// let others run and a `select!` that has to do the same wake it in one.
impl Wake for Run {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.attention.notify_one();
    }
}

pub(super) fn passed(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|at| at <= Instant::now())
}

async fn reached(deadline: Option<Instant>) {
    match deadline {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}

/// How long the body may still run. Stands still while it waits for answers.
struct RunClock {
    left: Duration,
    since: Option<Instant>,
}

impl RunClock {
    fn start(&mut self) {
        self.since.get_or_insert_with(Instant::now);
    }

    fn stop(&mut self) {
        if let Some(since) = self.since.take() {
            self.left = self.left.saturating_sub(since.elapsed());
        }
    }

    fn deadline(&self) -> Option<Instant> {
        self.since?.checked_add(self.left)
    }
}
