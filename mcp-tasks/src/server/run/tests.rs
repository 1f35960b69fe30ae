//! Moments that no client can bring about at will.

use serde_json::{Value, json};

use super::super::outbox::Outbox;
use super::super::park::Parked;
use super::super::weak_runs::WeakRuns;
use super::super::{Peer, Server};
use super::*;
use crate::context::extensions::Extensions;
use crate::tool::output::IntoOutput;
use crate::tool::{BoxFuture, Call, Describe, Faults, Output, Tool, ToolEntry, ToolSpec, Tools};

/// Asks for a yes.
struct Ask;

impl Tool for Ask {
    const SPEC: &'static ToolSpec = &ToolSpec::new("ask", "Asks for a yes.", &[], "tests.rs", 1);

    fn describe(d: &mut Describe) {
        d.output::<String>();
    }

    fn start(call: &Call<'_>) -> Result<BoxFuture<'static, Output>, Faults> {
        let context = call.context().clone();
        Ok(Box::pin(async move {
            let agreed = context.confirm("Sure?").await;
            agreed.map(|agreed| agreed.to_string()).into_output()
        }))
    }
}

struct Connection {
    peer: Arc<Peer>,
    outbox: Arc<Outbox>,
}

impl Connection {
    fn open() -> Self {
        let tools = Tools::new(&[ToolEntry::of::<Ask>()], "1.0.0");
        let core = Server::new("unit")
            .tools(tools)
            .core()
            .expect("it is sound");
        let outbox = Arc::new(Outbox::default());
        let peer = Peer::new(core, Owner::Process, Arc::clone(&outbox) as _);
        Self { peer, outbox }
    }

    fn call(&self, id: u64, extra: &Value) {
        let mut params = json!({
            "name": "ask",
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
            },
        });
        for (key, value) in extra.as_object().into_iter().flatten() {
            params[key] = value.clone();
        }
        let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        let call = call.to_string();
        self.peer.receive(call.as_bytes(), &Extensions::default());
    }

    /// A run of its own that is attached to nothing.
    fn run(&self) -> Arc<Run> {
        let tool = self.peer.core.tool("ask").expect("it is there");
        let owner = Owner::Process.into();
        Run::new(&self.peer, owner, tool, Capabilities::NONE, Vec::new())
    }

    /// The next frames, joined.
    async fn answer(&self) -> Value {
        let chunks = self.outbox.take().await.expect("the connection is open");
        serde_json::from_slice(chunks[0].as_ref()).expect("one frame")
    }
}

#[tokio::test(start_paused = true)]
async fn a_retry_that_comes_just_as_the_call_ends_is_answered() {
    let connection = Connection::open();
    let core = &connection.peer.core;
    connection.call(1, &json!({}));
    let asked = connection.answer().await;
    let state = &asked["result"]["requestState"];
    let (handle, run) = {
        let parked = lock(&core.parked);
        let (handle, call) = parked.iter().next().expect("it is parked");
        (handle.clone(), Arc::clone(&call.run))
    };
    run.stop(CancelReason::Abandoned);
    run.ended().await;
    // The retry found the call on the table right before it went.
    let room = &core.gates.parked;
    let found = Parked {
        run,
        owner: Owner::Process.into(),
        arguments: None,
        _passes: [1, 0].map(|weight| room.enter(&Owner::Process, weight).expect("room")),
    };
    lock(&core.parked).insert(handle, found);
    connection.call(2, &json!({ "requestState": state }));
    let refused = connection.answer().await;
    assert_eq!(refused["id"], 2);
    assert_eq!(refused["error"]["code"], -32602);
    connection.peer.finish(Duration::ZERO).await;
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_closes_takes_no_more_calls() {
    let connection = Connection::open();
    connection.peer.finish(Duration::ZERO).await;
    connection.call(1, &json!({}));
    assert_eq!(connection.answer().await["error"]["code"], -32603);
    connection.peer.finish(Duration::ZERO).await;
}

/// Bounds far above what is there, and far below what was there once.
#[tokio::test]
async fn what_a_waiting_run_takes_stays_small() {
    let run = Connection::open().run();
    let body = Box::pin(std::future::pending());
    let driven = begin::driven(run, body, &tracing::Span::none());
    assert!(size_of_val(&driven) <= 440, "{}", size_of_val(&driven));
    assert!(size_of::<Run>() <= 500, "{}", size_of::<Run>());
}

#[tokio::test]
async fn a_run_that_is_remembered_again_and_again_takes_few_places() {
    let connection = Connection::open();
    let (run, other) = (connection.run(), connection.run());
    let runs = WeakRuns::default();
    for _ in 0..10_000 {
        runs.add(&run);
        runs.add(&connection.run());
    }
    runs.add(&other);
    assert!(runs.places() <= 8, "{}", runs.places());
    let left = runs.left();
    assert_eq!(left.len(), 2);
    assert!(left.iter().any(|left| Arc::ptr_eq(left, &run)));
    assert!(left.iter().any(|left| Arc::ptr_eq(left, &other)));
}
