//! `subscriptions/listen`: what a modern client wants to be told of, for as long as it listens.

use std::collections::HashSet;
use std::sync::Arc;

use super::gate::Pass;
use super::live::Live;
use super::modern::declares_tasks;
use super::outlet::Outlet;
use super::peer::{Activity, Peer};
use super::reply::Reply;
use crate::context::Stop;
use crate::model::BoxFuture;
use crate::model::cancel::CancelReason;
use crate::model::concurrency::spawn;
use crate::model::error::RpcError;
use crate::model::task::TaskId;
use crate::task::LookupError;
use crate::task::record::Dialect;
use crate::wire::envelope::{ListenFilter, Params, RequestId};
use crate::wire::meta::ModernMeta;
use crate::wire::{extension, legacy, modern};

/// Tasks that one subscription may name.
const MAX_TASKS: usize = 1_000;

pub(super) fn listen(reply: Reply, params: &Params<'_>, meta: &ModernMeta) {
    let filter = params.listen_filter().and_then(|filter| {
        match &filter.task_ids {
            Some(ids) if ids.len() > MAX_TASKS => {
                let text = format!("a subscription names at most {MAX_TASKS} tasks");
                return Err(RpcError::invalid_params(text));
            }
            Some(_) => declares_tasks(meta)?,
            None => {}
        }
        Ok(filter)
    });
    let filter = match filter {
        Ok(filter) => filter,
        Err(error) => return reply.error(&error),
    };
    let stop = Arc::new(Stop::default());
    let peer = Arc::clone(reply.peer());
    let weight = filter.task_ids.as_ref().map_or(1, |ids| ids.len().max(1));
    let pass = match peer.core.gates.subscriptions.enter(&peer.owner, weight) {
        Ok(pass) => pass,
        Err(error) => return reply.error(&error),
    };
    match peer.list(reply, Activity::Listen(Arc::clone(&stop))) {
        Err((reply, error)) => reply.error(&error),
        Ok(reply) => {
            let runtime = peer.runtime.clone();
            spawn(&runtime, Box::pin(serve(reply, filter, stop, pass)));
        }
    }
}

/// Acknowledges, then tells of each task until the client or the server ends it.
async fn serve(reply: Reply, filter: ListenFilter, stop: Arc<Stop>, pass: Pass) {
    let peer = Arc::clone(reply.peer());
    let subscription = reply.id().clone();
    let outlet = Arc::clone(reply.outlet());
    // Subscribed before the acknowledgement, so that no change falls between.
    let live = peer.core.live.as_ref();
    let listening = live.filter(|_| filter.tools_list_changed).map(Live::listen);
    let accepted = accept(&peer, filter).await;
    outlet.send(modern::listen_acknowledged(&subscription, &accepted));
    for id in accepted.task_ids.into_iter().flatten() {
        let follow = (peer.core.tasks().tools.follow)(
            Arc::clone(&peer),
            Arc::clone(&outlet),
            subscription.clone(),
            TaskId::new(id),
            Arc::clone(&stop),
        );
        spawn(&peer.runtime, follow);
    }
    match listening {
        Some(mut listening) => loop {
            tokio::select! {
                biased;
                () = stop.token().cancelled() => break,
                () = listening.tell_next(&*outlet, &subscription) => {}
            }
        },
        None => stop.token().cancelled().await,
    }
    // Whoever reads of the end finds the room that it made.
    drop(pass);
    // A client that ends its subscription gets no response to it (2026-07-28 cancellation); one that the
    // server ends hears of it in both of the ways the specification names.
    if stop.reason() != Some(CancelReason::Requested) {
        outlet.send(legacy::cancelled(
            &subscription,
            "the server ends the subscription",
        ));
        let frame = modern::listen_ended(&subscription, peer.core.info());
        reply.send(frame);
    }
}

/// What of the filter this server serves to this caller: tasks that are theirs, each once.
async fn accept(peer: &Peer, filter: ListenFilter) -> ListenFilter {
    let mut accepted = ListenFilter {
        tools_list_changed: filter.tools_list_changed && peer.core.live.is_some(),
        ..ListenFilter::default()
    };
    if let Some(ids) = filter.task_ids
        && peer.core.offer.tasks
    {
        accepted.task_ids = Some((peer.core.tasks().tools.known)(peer, ids).await);
    }
    accepted
}

pub(super) type Known = for<'a> fn(&'a Peer, Vec<String>) -> BoxFuture<'a, Vec<String>>;

/// Those of the tasks that are the caller's, each once.
pub(super) fn known(peer: &Peer, ids: Vec<String>) -> BoxFuture<'_, Vec<String>> {
    Box::pin(async move {
        let mut seen = HashSet::new();
        let mut known = Vec::new();
        for id in ids {
            let found = peer
                .core
                .engine()
                .get(&peer.owner, &TaskId::new(id.as_str()))
                .await;
            if found.is_ok_and(|record| record.dialect == Dialect::Extension)
                && seen.insert(id.clone())
            {
                known.push(id);
            }
        }
        known
    })
}

pub(super) type Follow =
    fn(Arc<Peer>, Arc<dyn Outlet>, RequestId, TaskId, Arc<Stop>) -> BoxFuture<'static, ()>;

pub(super) fn follow(
    peer: Arc<Peer>,
    outlet: Arc<dyn Outlet>,
    subscription: RequestId,
    id: TaskId,
    stop: Arc<Stop>,
) -> BoxFuture<'static, ()> {
    Box::pin(tell_of(peer, outlet, subscription, id, stop))
}

/// Tells the present state once, then every change, until the task is gone or the subscription ends.
async fn tell_of(
    peer: Arc<Peer>,
    outlet: Arc<dyn Outlet>,
    subscription: RequestId,
    id: TaskId,
    stop: Arc<Stop>,
) {
    let mut watch = peer.core.engine().watch(&id);
    let mut told = Vec::new();
    loop {
        // A client that does not keep up is told fewer states, and no more of them wait for it.
        tokio::select! {
            biased;
            () = stop.token().cancelled() => return,
            () = outlet.room() => {}
        }
        let found = peer.core.engine().get(&peer.owner, &id).await;
        if stop.token().is_cancelled() {
            return;
        }
        match found {
            Ok(record) => {
                // Not every version shows: handing an answer to the body changes nothing that a client sees.
                let frame = extension::notification(&subscription, &record.snapshot());
                if frame != told {
                    if !outlet.keeps_up() {
                        continue;
                    }
                    outlet.send(frame.clone());
                    told = frame;
                }
                if record.status.is_terminal() {
                    return;
                }
            }
            Err(LookupError::Store(error)) => {
                tracing::error!(task = %id, %error, "the task store failed");
                watch.again_later();
            }
            Err(_) => return,
        }
        tokio::select! {
            biased;
            () = stop.token().cancelled() => return,
            () = watch.changed() => {}
        }
    }
}
