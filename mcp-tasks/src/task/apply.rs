//! All legal moves of a task, in one pure function.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::model::clock::Millis;
use crate::model::input::{InputRequest, InputResponse};
use crate::model::task::{Outcome, TaskStatus};

use super::record::{Dialect, Event, Input, InputState, Record, Rejected};
use crate::model::cancel::CancelReason;

/// The record after `event`, or why the event does not move it.
///
/// A task goes created → working ⇄ input required → completed, failed or cancelled, and stays
/// there: nothing moves a record that has ended, but for its deletion. The next version is one
/// higher; its times never go back, whatever `now` says.
///
/// # Errors
///
/// [`Rejected`] says which rule forbids the event; the record then stands as it was.
pub fn apply(record: &Record, event: &Event, now: Millis) -> Result<Record, Rejected> {
    if record.status.is_terminal() && (record.is_deleted() || !matches!(event, Event::Delete)) {
        return Err(Rejected::Terminal(record.status));
    }
    let now = now.max(record.updated);
    let mut next = record.clone();
    match event {
        Event::Start => start(&mut next, now)?,
        Event::Message(text) => message(&mut next, text)?,
        Event::Ask { questions, wait } => ask(&mut next, questions, *wait, now)?,
        Event::Answer(answers) => answer(&mut next, answers, now)?,
        Event::Delivered(keys) => deliver(&mut next, keys, now)?,
        Event::Withdraw(keys) => withdraw(&mut next, keys, now)?,
        Event::Cancel(reason) => cancel(&mut next, *reason, now)?,
        Event::End(outcome) => end(&mut next, outcome, now),
        Event::EndCancelled(text) => finish(
            &mut next,
            TaskStatus::Cancelled,
            Some(Arc::clone(text)),
            now,
        ),
        Event::Heartbeat => heartbeat(&mut next, now)?,
        Event::Delete => delete(&mut next)?,
    }
    next.version = record.version.saturating_add(1);
    if !matches!(event, Event::Delivered(_) | Event::Heartbeat) {
        next.updated = now;
    }
    Ok(next)
}

fn start(next: &mut Record, now: Millis) -> Result<(), Rejected> {
    if next.status != TaskStatus::Created {
        return Err(Rejected::Illegal);
    }
    next.status = TaskStatus::Working;
    go_on(next, now);
    Ok(())
}

fn message(next: &mut Record, text: &Arc<str>) -> Result<(), Rejected> {
    if next.message.as_ref() == Some(text) {
        return Err(Rejected::Unchanged);
    }
    next.message = Some(Arc::clone(text));
    Ok(())
}

fn ask(
    next: &mut Record,
    questions: &[(Arc<str>, Arc<InputRequest>)],
    wait: u64,
    now: Millis,
) -> Result<(), Rejected> {
    if next.status == TaskStatus::Created || next.cancel.is_some() {
        return Err(Rejected::Illegal);
    }
    if questions.is_empty() {
        return Err(Rejected::Unchanged);
    }
    next.inputs.reserve_exact(questions.len());
    for (key, request) in questions {
        // 2026-07-28 tasks, "Task Update Requests": a key is unique for the task's life.
        if next.inputs.iter().any(|input| input.key == *key) {
            return Err(Rejected::KeyUsed);
        }
        next.inputs.push(Input {
            key: Arc::clone(key),
            state: InputState::Open(Arc::clone(request)),
        });
    }
    pause(next, now);
    let ttl = running_ttl(next, now).saturating_add(wait);
    // Of several questions the one that waits longest keeps the task.
    next.ttl = if next.status == TaskStatus::InputRequired {
        next.ttl.max(ttl)
    } else {
        ttl
    };
    next.status = TaskStatus::InputRequired;
    Ok(())
}

fn answer(
    next: &mut Record,
    answers: &[(Arc<str>, Arc<InputResponse>)],
    now: Millis,
) -> Result<(), Rejected> {
    let mut changed = false;
    for (key, response) in answers {
        // Closed, answered and unknown keys are ignored: the first answer stands.
        let open = next
            .inputs
            .iter_mut()
            .find(|input| input.key == *key && is_open(input));
        if let Some(input) = open {
            input.state = InputState::Answered(Arc::clone(response));
            changed = true;
        }
    }
    settle(next, changed, now)
}

fn deliver(next: &mut Record, keys: &[Arc<str>], now: Millis) -> Result<(), Rejected> {
    let changed = close(next, |input| {
        is_answered(input) && keys.contains(&input.key)
    });
    settle(next, changed, now)
}

fn withdraw(next: &mut Record, keys: &[Arc<str>], now: Millis) -> Result<(), Rejected> {
    let changed = close(next, |input| keys.contains(&input.key));
    settle(next, changed, now)
}

fn cancel(next: &mut Record, reason: CancelReason, now: Millis) -> Result<(), Rejected> {
    let never_started = next.status == TaskStatus::Created;
    // 2025-11-25 tasks, "Task Cancellation": cancelled before the reply, and it stays so; SEP-1686
    // asks for the same. A reason of the server's own is no such request: the runner ends the task
    // with an error that says why.
    let at_once = next.dialect != Dialect::Extension && is_the_clients(reason);
    if never_started || at_once {
        next.cancel = Some(reason);
        finish(
            next,
            TaskStatus::Cancelled,
            Some(cancelled_text(reason).into()),
            now,
        );
        return Ok(());
    }
    if next.cancel.is_some() {
        return Err(Rejected::Unchanged);
    }
    next.cancel = Some(reason);
    close(next, is_open);
    settle(next, true, now)
}

fn end(next: &mut Record, outcome: &Outcome, now: Millis) {
    let (status, message) = match outcome {
        Outcome::Result(_) => (TaskStatus::Completed, None),
        Outcome::Error(error) => (TaskStatus::Failed, Some(Arc::from(&*error.message))),
    };
    next.outcome = Some(outcome.clone());
    finish(next, status, message, now);
}

fn heartbeat(next: &mut Record, now: Millis) -> Result<(), Rejected> {
    if next.heartbeat >= now {
        return Err(Rejected::Unchanged);
    }
    next.heartbeat = now;
    Ok(())
}

/// What is left is a stub without content, and its time is over.
fn delete(next: &mut Record) -> Result<(), Rejected> {
    if !next.status.is_terminal() {
        return Err(Rejected::Illegal);
    }
    next.ttl = 0;
    next.outcome = None;
    next.message = None;
    Ok(())
}

/// The way into every terminal status: nothing stays open, and the time to keep it starts.
fn finish(next: &mut Record, status: TaskStatus, message: Option<Arc<str>>, now: Millis) {
    pause(next, now);
    close(next, |_| true);
    next.status = status;
    next.message = message;
    next.ended = Some(now);
    let kept = elapsed(next, now).saturating_add(next.keep);
    next.ttl = kept.max(next.wish.unwrap_or(0)).max(1);
}

/// After questions were closed or answered: leaves `InputRequired` once none is open, and counts
/// the body as running again once no answer waits to be handed over.
fn settle(next: &mut Record, changed: bool, now: Millis) -> Result<(), Rejected> {
    if !changed {
        return Err(Rejected::Unchanged);
    }
    if next.inputs.iter().any(is_open) {
        return Ok(());
    }
    next.status = TaskStatus::Working;
    if next.inputs.iter().any(is_answered) {
        next.ttl = running_ttl(next, now);
    } else if next.running_since.is_none() {
        go_on(next, now);
    }
    Ok(())
}

fn go_on(next: &mut Record, now: Millis) {
    next.ttl = running_ttl(next, now);
    next.running_since = Some(now);
}

fn pause(next: &mut Record, now: Millis) {
    if let Some(since) = next.running_since.take() {
        next.ran = next.ran.saturating_add(now.0.saturating_sub(since.0));
    }
}

/// Milliseconds from creation to the end of `keep`, should the body run from `now` on and use up
/// its budget.
fn running_ttl(record: &Record, now: Millis) -> u64 {
    let budget = record.run_budget.saturating_sub(record.ran);
    elapsed(record, now)
        .saturating_add(budget)
        .saturating_add(record.keep)
        .max(1)
}

fn elapsed(record: &Record, now: Millis) -> u64 {
    now.0.saturating_sub(record.created.0)
}

/// Closes the matching questions that are not closed yet, dropping what they hold; whether there
/// were any.
fn close(next: &mut Record, matching: impl Fn(&Input) -> bool) -> bool {
    let mut changed = false;
    for input in &mut next.inputs {
        if !matches!(input.state, InputState::Closed) && matching(input) {
            input.state = InputState::Closed;
            changed = true;
        }
    }
    changed
}

fn is_open(input: &Input) -> bool {
    matches!(input.state, InputState::Open(_))
}

fn is_answered(input: &Input) -> bool {
    matches!(input.state, InputState::Answered(_))
}

fn is_the_clients(reason: CancelReason) -> bool {
    matches!(
        reason,
        CancelReason::Requested | CancelReason::Disconnected | CancelReason::Abandoned
    )
}

fn cancelled_text(reason: CancelReason) -> &'static str {
    match reason {
        CancelReason::Requested => "cancelled by the client",
        CancelReason::Disconnected => "cancelled: the client disconnected",
        CancelReason::TimedOut => "cancelled: it took too long",
        CancelReason::Expired => "cancelled: its time to live ran out",
        CancelReason::Abandoned => "cancelled: nobody took it up again",
        CancelReason::Shutdown => "cancelled: the server is shutting down",
    }
}
