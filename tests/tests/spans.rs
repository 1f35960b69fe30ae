//! What whoever collects this process's spans and events learns of a call and of a task.
//!
//! In a process of their own, one after the other: whether a span is of interest is known for all of a process's
//! threads at once, and a test beside these would make it so that it is not.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use mcp_tasks::prelude::*;
use mcp_tasks::testing::ClientKind;
use mcp_tasks::{FromContext, MethodCall, RpcError};
use serde_json::{Value, json};
use tests::session::{Session, TASK_CLIENTS};
use tests::tools::server;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};

use tracing::{Event, Level, Metadata, Subscriber};

static ALONE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

type Fields = BTreeMap<&'static str, String>;

/// Collects the fields of every span named `call`, and of every error.
#[derive(Clone, Default)]
struct Calls(Arc<Mutex<Vec<Fields>>>, Arc<Mutex<Vec<Fields>>>);

impl Calls {
    /// The latest error.
    fn latest_error(&self) -> Fields {
        self.1.lock().unwrap().last().cloned().expect("an error")
    }

    /// The latest span.
    fn latest(&self) -> Fields {
        self.0.lock().unwrap().last().cloned().expect("a span")
    }
}

struct Noted<'a>(&'a mut Fields);

impl Visit for Noted<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }
}

impl Subscriber for Calls {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let error = metadata.is_event() && *metadata.level() == Level::ERROR;
        error || (metadata.is_span() && metadata.name() == "call")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = Fields::new();
        span.record(&mut Noted(&mut fields));
        let mut spans = self.0.lock().unwrap();
        spans.push(fields);
        Id::from_u64(spans.len() as u64)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        let at = usize::try_from(span.into_u64() - 1).unwrap();
        values.record(&mut Noted(&mut self.0.lock().unwrap()[at]));
    }

    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::new();
        event.record(&mut Noted(&mut fields));
        self.1.lock().unwrap().push(fields);
    }
}

const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

#[tokio::test(start_paused = true)]
async fn a_call_is_a_span_under_the_clients_own() {
    let _alone = ALONE.lock().await;
    let calls = Calls::default();
    let _guard = tracing::subscriber::set_default(calls.clone());
    for kind in [ClientKind::V2026_07_28, ClientKind::V2025_11_25] {
        let mut client = Session::open(&server().0, kind).await;
        let mut params = json!({ "name": "add", "arguments": { "a": 1, "b": 2 } });
        params["_meta"] = json!({ "traceparent": PARENT });
        client.request("tools/call", params).await.unwrap();
        let span = calls.latest();
        assert_eq!(span["tool"], "add", "{kind}");
        assert_eq!(span["traceparent"], PARENT, "{kind}");
        assert_eq!(span["outcome"], "completed", "{kind}");
        assert!(!span.contains_key("task"), "{kind}: {span:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_tasks_span_says_which_task_it_is_whose_and_what_came_of_it() {
    let _alone = ALONE.lock().await;
    let calls = Calls::default();
    let _guard = tracing::subscriber::set_default(calls.clone());
    for kind in TASK_CLIENTS {
        let mut client = Session::open(&server().0, kind).await;
        for (tool, outcome) in [
            ("export", "completed"),
            ("fail", "error result"),
            ("refuse", "failed"),
        ] {
            let called = client.call(tool, json!({})).await;
            let span = calls.latest();
            assert_eq!(Some(span["task"].as_str()), called.task_id(), "{kind}");
            assert_eq!(span["owner"], "Process", "{kind}");
            assert_eq!(span["outcome"], outcome, "{kind}");
        }
        let task = client.start_task("nap", json!({ "millis": 60_000 })).await;
        client.about("tasks/cancel", &task).await.unwrap();
        client.get_until(&task, "cancelled").await;
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        let span = calls.latest();
        assert_eq!(span["outcome"], "cancelled", "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_masked_error_hides_is_logged_under_the_number_that_its_client_got() {
    let _alone = ALONE.lock().await;
    let calls = Calls::default();
    let _guard = tracing::subscriber::set_default(calls.clone());
    for kind in TASK_CLIENTS {
        let mut client = Session::open(&server().0.mask_errors(), kind).await;
        let outcome = client.call("fail", json!({})).await;
        let logged = calls.latest_error();
        let (_, number) = outcome.text().rsplit_once(' ').map(owned).unwrap();
        assert_eq!(logged["reference"], number, "{kind}");
        assert_eq!(logged["tool"], "fail", "{kind}");
        assert!(
            !outcome.text().contains(&logged["error"]),
            "{kind}: {logged:?}"
        );
        assert!(!logged["error"].is_empty(), "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_words_of_a_panic_are_logged_and_reach_no_client() {
    let _alone = ALONE.lock().await;
    let calls = Calls::default();
    let _guard = tracing::subscriber::set_default(calls.clone());
    let server = Server::new("s")
        .tools(tools![before_its_body, in_its_body])
        .on_method("acme/greet", greet);
    for kind in [ClientKind::V2026_07_28, ClientKind::V2025_11_25] {
        let mut client = Session::open(&server, kind).await;
        for (method, params, words) in [
            (
                "tools/call",
                json!({ "name": "before_its_body" }),
                "before its body",
            ),
            (
                "tools/call",
                json!({ "name": "in_its_body" }),
                "in its body",
            ),
            ("acme/greet", json!({}), "in the method"),
        ] {
            let answer = client.request(method, params).await;
            assert!(!format!("{answer:?}").contains(words), "{kind}: {answer:?}");
            assert_eq!(calls.latest_error()["panic"], words, "{kind}");
        }
    }
}

struct Fragile;

impl FromContext for Fragile {
    fn from_context(_: &Context) -> Result<Self, ToolError> {
        panic!("before its body")
    }
}

async fn greet(_: MethodCall) -> Result<Value, RpcError> {
    panic!("in the method")
}

/// Panics early.
#[mcp_tool]
async fn before_its_body(_fragile: Fragile) {}

/// Panics.
#[mcp_tool]
async fn in_its_body() {
    panic!("in its body")
}

fn owned((words, number): (&str, &str)) -> (String, String) {
    (words.to_owned(), number.to_owned())
}
