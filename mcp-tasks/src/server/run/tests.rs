//! Moments that no client can bring about at will.

use serde_json::{Value, json};

use super::super::outbox::Outbox;
use super::super::park::Parked;
use super::super::weak_runs::WeakRuns;
use super::super::{Peer, Server, entry};
use super::*;
use crate::context::extensions::Extensions;
use crate::tool::output::IntoOutput;
use crate::tool::{BoxFuture, Call, Describe, Faults, Output, Tool, ToolSpec, Tools};
#[cfg(feature = "http")]
use crate::wire::envelope::RequestId;

/// Asks for a yes.
struct Ask;

impl Tool for Ask {
    const SPEC: &'static ToolSpec =
        &ToolSpec::new("ask", "Asks for a yes.", &[], "tests.rs", 1).task();

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
        let tools = Tools::new(&[entry::<Ask>()], "1.0.0");
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
        self.send(&call);
    }

    fn send(&self, message: &Value) {
        let message = message.to_string();
        self.peer
            .receive(message.as_bytes(), &Extensions::default());
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

/// All there is to read by now.
#[cfg(feature = "http")]
async fn frames(connection: &Connection) -> Vec<Value> {
    let chunks = connection.outbox.take().await.expect("it is open");
    let bytes: Vec<u8> = chunks
        .iter()
        .flat_map(|chunk| chunk.as_ref().to_vec())
        .collect();
    let frames = serde_json::Deserializer::from_slice(&bytes).into_iter();
    frames.map(|frame| frame.expect("JSON")).collect()
}

#[cfg(feature = "http")]
#[tokio::test(start_paused = true)]
async fn a_question_whose_answer_is_being_taken_in_is_not_put_again() {
    let connection = Connection::open();
    let hello = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": { "elicitation": {} },
        "clientInfo": { "name": "unit", "version": "1" },
    });
    let call = json!({ "name": "ask", "task": {} });
    for (id, method, params) in [(1, "initialize", hello), (2, "tools/call", call)] {
        connection.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
    }
    let is_question = |frame: &Value| frame["method"] == "elicitation/create";
    let mut told = Vec::new();
    let question = loop {
        told.extend(frames(&connection).await);
        if let Some(question) = told.iter().position(is_question) {
            break told.swap_remove(question);
        }
    };

    let id = RequestId::Number(question["id"].as_u64().expect("a number").into());
    let peer = &connection.peer;
    let (id, run) = peer.requests.take(&id).expect("it was asked");
    run.reachable_again(peer, true);
    let yes = r#"{ "action": "accept", "content": { "confirm": true } }"#;
    run.client_answered(
        peer,
        id,
        Ok(&RawValue::from_string(yes.to_owned()).unwrap()),
    );
    run.ended().await;

    told.extend(frames(&connection).await);
    assert!(!told.iter().any(is_question), "{told:?}");
    let last = told.last().expect("it is told of");
    assert_eq!(last["params"]["status"], "completed", "{last}");
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
        resume: crate::server::park::resume,
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

/// Making room costs as much as there are runs, so that it has to make some.
#[tokio::test]
async fn whoever_makes_room_among_many_runs_has_room_for_a_while() {
    let connection = Connection::open();
    let many: Vec<_> = (0..7).map(|_| connection.run()).collect();
    let runs = WeakRuns::default();
    for run in many.iter().chain(&many) {
        runs.add(run);
    }
    assert!(runs.places() >= 14, "{}", runs.places());
    assert_eq!(runs.left().len(), 7);
}
