//! `tasks/get`, `tasks/update` and `tasks/cancel` of the 2026-07-28 extension.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::super::peer::{Activity, Peer};
use super::super::reply::Reply;
use super::{answer_about, expired, find, store_failed};
use crate::model::cancel::CancelReason;
use crate::model::error::RpcError;
use crate::model::input::InputResponse;
use crate::model::task::TaskId;
use crate::task::SubmitError;
use crate::task::record::{Dialect, Event, InputState, Record};
use crate::wire::envelope::Params;
use crate::wire::{extension, input};

pub(in crate::server) fn get(reply: Reply, params: &Params<'_>) {
    answer_about(reply, params, Activity::Lookup, async |peer, id, task| {
        let record = find(&peer, &task, Dialect::Extension).await?;
        Ok(extension::task(&id, &record.snapshot(), peer.core.info()))
    });
}

pub(in crate::server) fn update(reply: Reply, params: &Params<'_>) {
    let missing = || RpcError::invalid_params("`inputResponses` is missing");
    let responses = params
        .input_responses()
        .and_then(|responses| responses.ok_or_else(missing));
    let responses: Vec<_> = match responses {
        Ok(responses) => responses
            .into_iter()
            .map(|(key, raw)| (key.into_owned(), raw.to_owned()))
            .collect(),
        Err(error) => return reply.error(&error),
    };
    // The answers are in the record before the acknowledgement leaves, so that the next `tasks/get` shows it.
    answer_about(
        reply,
        params,
        Activity::Lookup,
        async move |peer, id, task| {
            let record = find(&peer, &task, Dialect::Extension).await?;
            let answers = read_answers(&record, &responses)?;
            if !answers.is_empty() {
                submit(&peer, &task, Event::Answer(answers)).await?;
            }
            Ok(extension::acknowledged(&id, peer.core.info()).into())
        },
    );
}

pub(in crate::server) fn cancel(reply: Reply, params: &Params<'_>) {
    answer_about(reply, params, Activity::Lookup, async |peer, id, task| {
        find(&peer, &task, Dialect::Extension).await?;
        submit(&peer, &task, Event::Cancel(CancelReason::Requested)).await?;
        Ok(extension::acknowledged(&id, peer.core.info()).into())
    });
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
async fn submit(peer: &Peer, id: &TaskId, event: Event) -> Result<(), RpcError> {
    match peer.core.engine().submit(id, event).await {
        Ok(_) | Err(SubmitError::Rejected(..)) => Ok(()),
        Err(SubmitError::Gone) => Err(expired()),
        Err(SubmitError::Store(error)) => Err(store_failed(&error)),
    }
}
