//! The engine over the in-memory store.

mod expiry;
mod lifecycle;
mod limits;
mod races;
mod stores;

use std::sync::Arc;
use std::time::Duration;

use serde_json::value::RawValue;

use crate::model::cancel::CancelReason;
use crate::model::clock::Millis;
use crate::model::input::{InputRequest, InputResponse};
use crate::model::principal::Principal;
use crate::model::result::CallOutput;
use crate::task::memory::MemoryStore;

use super::*;

const HOUR: Duration = Duration::from_secs(3_600);

fn limits() -> EngineLimits {
    EngineLimits {
        live: 100_000,
        live_per_principal: 1_000,
        kept_bytes: 256 << 20,
        max_keep: 24 * HOUR,
    }
}

fn engine_with(limits: EngineLimits) -> Arc<Engine> {
    let engine = Engine::new(
        Arc::new(MemoryStore::new()),
        Clock::new(),
        limits,
        Arc::new(()),
    );
    engine.start();
    engine
}

fn engine() -> Arc<Engine> {
    engine_with(limits())
}

/// A task that may run a minute and is kept for ten seconds.
fn new(owner: Owner, dialect: Dialect) -> NewTask {
    NewTask {
        id: None,
        owner,
        dialect,
        tool: "build".into(),
        poll_interval: Duration::from_secs(1),
        keep: Duration::from_secs(10),
        wish: None,
        run_budget: Duration::from_secs(60),
        message: None,
    }
}

fn principal(name: &str) -> Owner {
    Owner::Principal(Principal::new("https://issuer.example", name))
}

/// A task whose body has started.
async fn started(engine: &Engine, dialect: Dialect) -> TaskId {
    let record = engine.create(new(Owner::Process, dialect)).await.unwrap();
    engine.submit(&record.id, Event::Start).await.unwrap();
    record.id.clone()
}

/// A task that has asked one question, `key`, for an hour.
async fn asking(engine: &Engine, dialect: Dialect) -> TaskId {
    let id = started(engine, dialect).await;
    let questions = vec![("key".into(), Arc::new(InputRequest::Roots))];
    engine
        .submit(
            &id,
            Event::Ask {
                questions,
                wait: as_millis(HOUR),
            },
        )
        .await
        .unwrap();
    id
}

fn answer() -> Event {
    Event::Answer(vec![(
        "key".into(),
        Arc::new(InputResponse::Roots(Vec::new())),
    )])
}

fn result() -> Outcome {
    let content = RawValue::from_string("[]".into()).unwrap();
    Outcome::Result(Arc::new(CallOutput {
        content,
        structured: None,
        meta: None,
        is_error: false,
    }))
}

async fn status(engine: &Engine, id: &TaskId) -> TaskStatus {
    engine.get(&Owner::Process, id).await.unwrap().status
}

/// Takes out everything that is kept, as the sleeper will at the end of its time.
async fn sweep_all(engine: &Engine) {
    engine.sweeper().sweep(Millis(u64::MAX)).await.unwrap();
}
