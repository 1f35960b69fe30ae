use super::*;

const TO_CLIENT: Direction = Direction::ToClient;
const TO_SERVER: Direction = Direction::ToServer;

/// The schemas, or nothing to do where they were not fetched.
macro_rules! schemas {
    () => {
        match Schemas::load() {
            Some(schemas) => schemas,
            None => return,
        }
    };
}

fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

#[test]
fn a_folder_without_schemas_is_told_apart_from_one_with_them() {
    let why = Schemas::read(Path::new("/nonexistent"))
        .err()
        .expect("nothing to read");
    assert!(why.contains("run tests/schemas/fetch"), "{why}");
}

#[test]
fn requests_are_checked_by_their_method() {
    let schemas = schemas!();
    let call = |params: Value| json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    for revision in ["2025-03-26", "2025-06-18", "2025-11-25"] {
        let check = |message: &Value| schemas.check_message(revision, TO_SERVER, None, message);
        assert_eq!(
            check(&call(json!({ "name": "t", "arguments": {} }))),
            Ok(())
        );
        assert!(check(&call(json!({ "name": 7 }))).is_err());
        assert!(check(&call(json!({}))).is_err());
        assert!(check(&json!({ "jsonrpc": "1.0", "id": 1, "method": "ping" })).is_err());
        assert!(check(&json!({ "jsonrpc": "2.0", "id": 1.5, "method": "ping" })).is_err());
        assert!(check(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/unknown" })).is_err());
    }
}

#[test]
fn modern_requests_carry_their_metadata() {
    let schemas = schemas!();
    for (method, more) in [
        ("tools/list", json!({})),
        ("tasks/get", json!({ "taskId": "a" })),
        (
            "tasks/update",
            json!({ "taskId": "a", "inputResponses": { "k": { "action": "decline" } } }),
        ),
        ("subscriptions/listen", json!({ "notifications": {} })),
    ] {
        let check = |params: &Value| {
            let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
            schemas.check_message("2026-07-28", TO_SERVER, None, &message)
        };
        let mut params = more;
        assert!(check(&params).is_err(), "{method}");
        params["_meta"] = meta();
        assert_eq!(check(&params), Ok(()), "{method}");
        assert!(check(&Value::Null).is_err(), "{method}");
    }
    let answer = json!({ "taskId": "a", "inputResponses": { "k": 7 }, "_meta": meta() });
    let update = json!({ "jsonrpc": "2.0", "id": 1, "method": "tasks/update", "params": answer });
    assert!(
        schemas
            .check_message("2026-07-28", TO_SERVER, None, &update)
            .is_err()
    );
}

#[test]
fn a_method_is_known_in_its_revisions_and_its_direction_alone() {
    let schemas = schemas!();
    let ask = json!({ "jsonrpc": "2.0", "id": 1, "method": "roots/list" });
    assert_eq!(
        schemas.check_message("2025-11-25", TO_CLIENT, None, &ask),
        Ok(())
    );
    assert!(
        schemas
            .check_message("2025-11-25", TO_SERVER, None, &ask)
            .is_err()
    );
    let modern =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "roots/list", "params": { "_meta": meta() } });
    assert!(
        schemas
            .check_message("2026-07-28", TO_CLIENT, None, &modern)
            .is_err()
    );
    let tasks = json!({ "jsonrpc": "2.0", "id": 1, "method": "tasks/list" });
    assert_eq!(
        schemas.check_message("2025-11-25", TO_SERVER, None, &tasks),
        Ok(())
    );
    assert!(
        schemas
            .check_message("2025-06-18", TO_SERVER, None, &tasks)
            .is_err()
    );
}

#[test]
fn results_are_checked_by_the_method_they_answer() {
    let schemas = schemas!();
    let answer = |result: Value| json!({ "jsonrpc": "2.0", "id": 1, "result": result });
    let check = |revision, method, result: Value| {
        schemas.check_message(revision, TO_CLIENT, Some(method), &answer(result))
    };
    let tools = json!({ "tools": [{ "name": "t", "inputSchema": { "type": "object" } }] });
    assert_eq!(check("2025-03-26", "tools/list", tools.clone()), Ok(()));
    assert!(
        check(
            "2025-03-26",
            "tools/list",
            json!({ "tools": [{ "name": "t" }] })
        )
        .is_err()
    );
    assert!(check("2025-03-26", "tools/call", tools.clone()).is_err());
    assert!(
        check("2026-07-28", "tools/list", tools).is_err(),
        "no resultType, no cache hints"
    );
    assert!(
        check(
            "2025-11-25",
            "tools/call",
            json!({ "task": { "taskId": "a" } })
        )
        .is_err()
    );
    assert!(check("2025-11-25", "tasks/result", json!({})).is_err());
    assert!(
        check(
            "2026-07-28",
            "tools/call",
            json!({ "resultType": "done", "content": [] })
        )
        .is_err()
    );
    let input =
        json!({ "resultType": "input_required", "inputRequests": { "k": { "method": "ping" } } });
    assert!(check("2026-07-28", "tools/call", input).is_err());
}

/// A working task of the extension with `more` put in.
fn task(more: &Value) -> Value {
    let mut task = json!({
        "resultType": "complete", "taskId": "a", "status": "working", "ttlMs": 1,
        "createdAt": "2026-07-28T07:00:00Z", "lastUpdatedAt": "2026-07-28T07:00:00Z",
    });
    for (key, value) in more.as_object().into_iter().flatten() {
        task[key] = value.clone();
    }
    task
}

#[test]
fn a_task_of_the_extension_shows_what_its_status_says() {
    let schemas = schemas!();
    let check = |more: &Value| {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "result": task(more) });
        schemas.check_message("2026-07-28", TO_CLIENT, Some("tasks/get"), &message)
    };
    let result = json!({ "resultType": "complete", "content": [] });
    let ask = json!({ "k": { "method": "roots/list" } });
    for good in [
        json!({}),
        json!({ "ttlMs": null, "statusMessage": "m", "pollIntervalMs": 5 }),
        json!({ "status": "completed", "result": result }),
        json!({ "status": "failed", "error": { "code": 1, "message": "m" } }),
        json!({ "status": "input_required", "inputRequests": ask }),
        json!({ "status": "cancelled" }),
    ] {
        assert_eq!(check(&good), Ok(()), "{good}");
    }
    for bad in [
        json!({ "resultType": "task" }),
        json!({ "status": "submitted" }),
        json!({ "createdAt": 7 }),
        json!({ "createdAt": "today" }),
        json!({ "ttlMs": 1.5 }),
        json!({ "ttl": 1 }),
        json!({ "result": result }),
        json!({ "status": "completed" }),
        json!({ "status": "completed", "result": { "resultType": "complete", "content": "x" } }),
        json!({ "status": "completed", "result": { "resultType": "task", "content": [] } }),
        json!({ "status": "failed" }),
        json!({ "status": "failed", "error": { "code": "x", "message": "m" } }),
        json!({ "status": "input_required", "inputRequests": {} }),
        json!({ "status": "input_required", "inputRequests": { "k": { "method": "ping" } } }),
    ] {
        assert!(check(&bad).is_err(), "{bad}");
    }
}

#[test]
fn a_new_task_of_the_extension_shows_no_outcome() {
    let schemas = schemas!();
    let check = |more: Value| {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "result": task(&more) });
        schemas.check_message("2026-07-28", TO_CLIENT, Some("tools/call"), &message)
    };
    assert_eq!(check(json!({ "resultType": "task" })), Ok(()));
    assert!(check(json!({})).is_err(), "a complete result has content");
    assert!(check(json!({ "resultType": "task", "result": {} })).is_err());
    assert!(check(json!({ "resultType": "task", "taskId": null })).is_err());
}

#[test]
fn an_update_is_acknowledged_empty() {
    let schemas = schemas!();
    let check = |result: Value| {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "result": result });
        schemas.check_message("2026-07-28", TO_CLIENT, Some("tasks/update"), &message)
    };
    assert_eq!(
        check(json!({ "resultType": "complete", "_meta": {} })),
        Ok(())
    );
    assert!(check(json!({})).is_err());
    assert!(check(task(&json!({}))).is_err());
}

#[test]
fn a_task_notification_names_its_subscription() {
    let schemas = schemas!();
    let check = |meta: Value| {
        let params = task(&json!({ "_meta": meta }));
        let message =
            json!({ "jsonrpc": "2.0", "method": "notifications/tasks", "params": params });
        schemas.check_message("2026-07-28", TO_CLIENT, None, &message)
    };
    assert_eq!(
        check(json!({ "io.modelcontextprotocol/subscriptionId": 7 })),
        Ok(())
    );
    assert!(check(json!({})).is_err());
}

#[test]
fn errors_are_checked_by_revision_and_code() {
    let schemas = schemas!();
    let check = |revision, error: Value| {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "error": error });
        schemas.check_message(revision, TO_CLIENT, Some("tools/call"), &message)
    };
    for revision in REVISIONS {
        assert_eq!(
            check(revision, json!({ "code": -32602, "message": "no" })),
            Ok(())
        );
        assert!(check(revision, json!({ "code": "x", "message": "no" })).is_err());
        assert!(check(revision, json!({ "code": 1 })).is_err());
    }
    let bare = json!({ "code": -32021, "message": "no" });
    assert!(
        check("2026-07-28", bare).is_err(),
        "no data.requiredCapabilities"
    );
    let without_id = json!({ "jsonrpc": "2.0", "error": { "code": -32700, "message": "no" } });
    let check = |revision| schemas.check_message(revision, TO_CLIENT, Some("ping"), &without_id);
    assert!(check("2025-06-18").is_err());
    assert_eq!(check("2025-11-25"), Ok(()));
}

#[test]
fn notifications_are_checked_by_their_method() {
    let schemas = schemas!();
    let check = |revision, method: &str, params: Value| {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        schemas.check_message(revision, TO_CLIENT, None, &message)
    };
    let progress = json!({ "progressToken": 1, "progress": 0.5 });
    for revision in REVISIONS {
        assert_eq!(
            check(revision, "notifications/progress", progress.clone()),
            Ok(())
        );
        let none = json!({ "progressToken": 1, "progress": null });
        assert!(check(revision, "notifications/progress", none).is_err());
        let loud = json!({ "level": "loud", "data": "x" });
        assert!(check(revision, "notifications/message", loud).is_err());
    }
    assert!(check("2026-07-28", "notifications/tasks/status", json!({})).is_err());
    assert!(check("2026-07-28", "notifications/tasks", json!({ "error": {} })).is_err());
}

#[test]
fn batches_belong_to_2025_03_26() {
    let schemas = schemas!();
    let batch = json!([{ "jsonrpc": "2.0", "id": 1, "method": "ping" }]);
    assert_eq!(
        schemas.check_message("2025-03-26", TO_SERVER, None, &batch),
        Ok(())
    );
    assert!(
        schemas
            .check_message("2025-06-18", TO_SERVER, None, &batch)
            .is_err()
    );
    assert!(
        schemas
            .check_message("2025-03-26", TO_SERVER, None, &json!([]))
            .is_err()
    );
    assert!(
        schemas
            .check_message("2025-03-26", TO_SERVER, None, &json!([7]))
            .is_err()
    );
}

#[test]
fn every_definition_of_the_table_is_in_the_schema() {
    let schemas = schemas!();
    for method in methods::METHODS {
        for revision in method.revisions {
            schemas.validator(known(revision), method.message);
        }
    }
}
