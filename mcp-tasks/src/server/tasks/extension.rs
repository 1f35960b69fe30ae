//! `tasks/get`, `tasks/update` and `tasks/cancel` of the 2026-07-28 extension.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::super::reply::Reply;
use super::{expired, find, respond, spawn, store_failed, task_id};
use crate::model::cancel::CancelReason;
use crate::model::error::RpcError;
use crate::model::input::InputResponse;
use crate::model::task::TaskId;
use crate::task::SubmitError;
use crate::task::record::{Dialect, Event, InputState, Record};
use crate::wire::envelope::Params;
use crate::wire::{Frame, extension, input};

pub(in crate::server) fn get(reply: Reply, params: &Params<'_>) {
    match task_id(params) {
        Err(error) => reply.error(&error),
        Ok(id) => spawn(reply, |reply| async move {
            let found = find(&reply, &id, Dialect::Extension).await;
            let info = reply.peer().core.info();
            let answer = found.map(|record| extension::task(reply.id(), &record.snapshot(), info));
            respond(reply, answer);
        }),
    }
}

pub(in crate::server) fn update(reply: Reply, params: &Params<'_>) {
    let request = task_id(params).and_then(|id| {
        let missing = || RpcError::invalid_params("`inputResponses` is missing");
        let responses = params.input_responses()?.ok_or_else(missing)?;
        let owned = responses
            .into_iter()
            .map(|(key, raw)| (key.into_owned(), raw.to_owned()));
        Ok((id, owned.collect::<Vec<_>>()))
    });
    match request {
        Err(error) => reply.error(&error),
        Ok((id, responses)) => spawn(reply, |reply| async move {
            let answer = try_update(&reply, &id, &responses).await;
            respond(reply, answer);
        }),
    }
}

/// The answers are in the record before the acknowledgement leaves, so that the next `tasks/get` shows it.
async fn try_update(
    reply: &Reply,
    id: &TaskId,
    responses: &[(String, Box<RawValue>)],
) -> Result<Frame, RpcError> {
    let record = find(reply, id, Dialect::Extension).await?;
    let answers = read_answers(&record, responses)?;
    if !answers.is_empty() {
        submit(reply, id, Event::Answer(answers)).await?;
    }
    Ok(extension::acknowledged(
        reply.id(),
        reply.peer().core.info(),
    ))
}

pub(in crate::server) fn cancel(reply: Reply, params: &Params<'_>) {
    match task_id(params) {
        Err(error) => reply.error(&error),
        Ok(id) => spawn(reply, |reply| async move {
            let answer = try_cancel(&reply, &id).await;
            respond(reply, answer);
        }),
    }
}

async fn try_cancel(reply: &Reply, id: &TaskId) -> Result<Frame, RpcError> {
    find(reply, id, Dialect::Extension).await?;
    submit(reply, id, Event::Cancel(CancelReason::Requested)).await?;
    Ok(extension::acknowledged(
        reply.id(),
        reply.peer().core.info(),
    ))
}

type Answers = Vec<(Arc<str>, Arc<InputResponse>)>;

/// Keys that are not open are ignored and logged ("Task Update Requests"); an answer that does not fit leaves
/// its key open.
fn read_answers(
    record: &Record,
    responses: &[(String, Box<RawValue>)],
) -> Result<Answers, RpcError> {
    let mut answers = Vec::with_capacity(responses.len());
    for (key, raw) in responses {
        let open = record.inputs.iter().find_map(|asked| match &asked.state {
            InputState::Open(request) if *asked.key == **key => Some((&asked.key, request)),
            _ => None,
        });
        let Some((key, request)) = open else {
            tracing::debug!(task = %record.id, key, "an answer to no open question is ignored");
            continue;
        };
        let response = input::read(request, raw).map_err(|why| {
            RpcError::invalid_params(format!("the answer to `{key}` does not fit: {why}"))
        })?;
        answers.push((Arc::clone(key), Arc::new(response)));
    }
    Ok(answers)
}

/// What the rules reject is acknowledged all the same: the task has moved on.
async fn submit(reply: &Reply, id: &TaskId, event: Event) -> Result<(), RpcError> {
    match reply.peer().core.engine.submit(id, event).await {
        Ok(_) | Err(SubmitError::Rejected(..)) => Ok(()),
        Err(SubmitError::Gone) => Err(expired()),
        Err(SubmitError::Store(error)) => Err(store_failed(&error)),
    }
}
