//! Where tasks are looked up.

use serde_json::json;

use super::super::Server;
use super::super::at_once::AtOnce;
use super::super::entry;
use super::super::outbox::Outbox;
use super::*;
use crate::context::extensions::Extensions;
use crate::model::principal::Owner;
use crate::task::MemoryStore;
use crate::tool::output::IntoOutput;
use crate::tool::{BoxFuture, Call, Describe, Faults, Output, Tool, ToolSpec, Tools};

struct Idle;

impl Tool for Idle {
    const SPEC: &'static ToolSpec =
        &ToolSpec::new("idle", "Does nothing.", &[], "tests.rs", 1).task();

    fn describe(d: &mut Describe) {
        d.output::<()>();
    }

    fn start(_: &Call<'_>) -> Result<BoxFuture<'static, Output>, Faults> {
        Ok(Box::pin(async { ().into_output() }))
    }
}

struct InPlace;

impl AtOnce for InPlace {
    fn at_once(&self, work: &mut dyn FnMut()) -> bool {
        work();
        true
    }
}

fn server() -> Server {
    Server::new("unit").tools(Tools::new(&[entry::<Idle>()], "1.0.0"))
}

/// Asks for a task that is not there.
fn ask(server: &Server) -> Arc<Outbox> {
    let outbox = Arc::new(Outbox::default());
    let core = server.core().expect("it is sound");
    let peer = Peer::new(core, Owner::Process, Arc::clone(&outbox) as _);
    peer.begin_at_once(Arc::new(InPlace));
    let tasks = json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": tasks,
    });
    let params = json!({ "taskId": "none", "_meta": meta });
    let get = json!({ "jsonrpc": "2.0", "id": 1, "method": "tasks/get", "params": params });
    peer.receive(get.to_string().as_bytes(), &Extensions::default());
    outbox
}

#[tokio::test]
async fn a_task_in_memory_is_looked_up_where_the_request_is_read() {
    let answers = ask(&server()).take_now().expect("the answer is there");
    let answer = String::from_utf8_lossy(answers[0].as_ref()).into_owned();
    assert!(answer.contains("Task not found"), "{answer}");
}

#[tokio::test]
async fn another_store_is_asked_on_the_runtime() {
    let outbox = ask(&server().keeping_tasks_in(Arc::new(MemoryStore::new())));
    assert!(outbox.take_now().is_none());
    assert!(outbox.take().await.is_some());
}
