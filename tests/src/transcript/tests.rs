use mcp_tasks::testing::{ClientKind, Direction};
use serde_json::{Value, json};

use super::judge;
use crate::session::PROTOCOL_VERSION;

const MODERN: ClientKind = ClientKind::TasksExtension;
const LEGACY: ClientKind = ClientKind::V2025_11_25;

fn sent(message: Value) -> (Direction, Value) {
    (Direction::ToServer, message)
}

fn came(message: Value) -> (Direction, Value) {
    (Direction::ToClient, message)
}

fn request(method: &str) -> (Direction, Value) {
    let meta = json!({ PROTOCOL_VERSION: "2026-07-28" });
    sent(json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": { "_meta": meta } }))
}

fn result(result: &Value) -> (Direction, Value) {
    came(json!({ "jsonrpc": "2.0", "id": 1, "result": result }))
}

fn ping() -> (Direction, Value) {
    sent(json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }))
}

#[test]
fn a_proper_conversation_passes() {
    let called = json!({ "resultType": "complete", "content": [] });
    judge(MODERN, &[request("tools/call"), result(&called)]);
    judge(LEGACY, &[ping(), result(&json!({}))]);
}

#[test]
#[should_panic(expected = "a wrong `resultType`")]
fn a_modern_result_without_its_type_fails() {
    judge(
        MODERN,
        &[request("tools/call"), result(&json!({ "content": [] }))],
    );
}

#[test]
#[should_panic(expected = "a wrong `resultType`")]
fn a_task_that_no_call_made_fails() {
    let task = json!({ "resultType": "task", "taskId": "x" });
    judge(MODERN, &[request("tasks/get"), result(&task)]);
}

#[test]
#[should_panic(expected = "`resultType` in a legacy result")]
fn a_modern_word_in_a_legacy_result_fails() {
    judge(
        LEGACY,
        &[ping(), result(&json!({ "resultType": "complete" }))],
    );
}

#[test]
#[should_panic(expected = "a request to a modern client")]
fn a_request_to_a_modern_client_fails() {
    judge(
        MODERN,
        &[came(json!({ "jsonrpc": "2.0", "id": 7, "method": "ping" }))],
    );
}

#[test]
#[should_panic(expected = "one response too many")]
fn a_second_response_fails() {
    judge(LEGACY, &[ping(), result(&json!({})), result(&json!({}))]);
}

#[test]
#[should_panic(expected = "a result nobody asked for")]
fn a_result_of_another_json_type_of_id_fails() {
    let stray = came(json!({ "jsonrpc": "2.0", "id": "1", "result": {} }));
    judge(LEGACY, &[ping(), stray]);
}

#[test]
#[should_panic(expected = "progress that does not rise")]
fn progress_that_stands_still_fails() {
    let progress = json!({
        "jsonrpc": "2.0", "method": "notifications/progress",
        "params": { "progressToken": 1, "progress": 2 },
    });
    judge(LEGACY, &[came(progress.clone()), came(progress)]);
}

#[test]
#[should_panic(expected = "no subscription id")]
fn news_of_a_task_without_its_subscription_fails() {
    let news = json!({ "jsonrpc": "2.0", "method": "notifications/tasks", "params": {} });
    judge(MODERN, &[came(news)]);
}

#[test]
fn what_the_official_schema_forbids_fails() {
    if crate::schemas::Schemas::load().is_none() {
        return;
    }
    let list = json!({ "resultType": "complete", "tools": 7, "ttlMs": 0, "cacheScope": "public" });
    let judged =
        std::panic::catch_unwind(|| judge(MODERN, &[request("tools/list"), result(&list)]));
    assert!(judged.is_err(), "`tools` is a list");
}

#[test]
fn an_error_without_an_id_and_one_for_an_unknown_revision_have_a_schema_too() {
    if crate::schemas::Schemas::load().is_none() {
        return;
    }
    let faulty = |kind, transcript: Vec<(Direction, Value)>| {
        std::panic::catch_unwind(move || judge(kind, &transcript)).is_err()
    };
    let error = |error: Value| came(json!({ "jsonrpc": "2.0", "error": error }));
    for kind in [MODERN, LEGACY] {
        let proper = error(json!({ "code": -32700, "message": "no JSON" }));
        assert!(!faulty(kind, vec![proper]), "{kind}");
        assert!(
            faulty(kind, vec![error(json!({ "code": -32700 }))]),
            "{kind}"
        );
    }
    let meta = json!({ PROTOCOL_VERSION: "2099-01-01" });
    let asked = sent(
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": meta } }),
    );
    let bare = json!({ "code": -32022, "message": "no" });
    let answered = came(json!({ "jsonrpc": "2.0", "id": 1, "error": bare }));
    assert!(faulty(MODERN, vec![asked, answered]), "no data.supported");
}
