//! Results of every kind, inline and as tasks, in the words of each revision.

use mcp_tasks::prelude::*;
use mcp_tasks::testing::{ClientKind, every_client};
use mcp_tasks::{Audio, Embedded, ResourceLink};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use tests::session::{Session, TASK_CLIENTS};

use ClientKind::{CoreTasks, V2025_03_26};

/// What came of it.
#[derive(Serialize, JsonSchema)]
struct Report {
    rows: u32,
    clean: bool,
}

/// Counts, or fails.
#[mcp_tool(task)]
async fn count(fail: bool) -> Result<Json<Report>, ToolError> {
    if fail {
        return Err("no such table".into());
    }
    Ok(Json(Report {
        rows: 3,
        clean: true,
    }))
}

/// Lists numbers.
#[mcp_tool(task)]
async fn numbers() -> Json<Vec<u8>> {
    Json(vec![1, 2]).text("two numbers")
}

/// Something of everything.
#[mcp_tool(task)]
async fn gallery() -> Vec<Content> {
    vec![
        Content::text("a text"),
        Image::new(vec![1, 2, 3], "image/png").into(),
        Audio::new(vec![4, 5, 6], "audio/wav").into(),
        ResourceLink::new("file:///a", "a").into(),
        Embedded::text("file:///b", "b").into(),
    ]
}

fn server() -> Server {
    Server::new("results").tools(tools![count, numbers, gallery])
}

async fn output_schemas(client: &mut Session) -> Vec<Value> {
    let list = client.request("tools/list", json!({})).await.unwrap();
    let tools = list["tools"].as_array().expect("tools");
    tools
        .iter()
        .map(|tool| tool["outputSchema"].clone())
        .collect()
}

#[tokio::test(start_paused = true)]
async fn a_structured_result_fits_the_schema_that_was_listed() {
    let server = server();
    for kind in every_client().filter(|kind| *kind != V2025_03_26) {
        let mut client = Session::open(&server, kind).await;
        let schemas = output_schemas(&mut client).await;
        for (tool, arguments, schema, value, mirror) in [
            (
                "count",
                json!({ "fail": false }),
                &schemas[0],
                json!({ "rows": 3, "clean": true }),
                r#"{"rows":3,"clean":true}"#,
            ),
            (
                "numbers",
                json!({}),
                &schemas[1],
                json!({ "result": [1, 2] }),
                "two numbers",
            ),
        ] {
            assert_eq!(schema["type"], "object", "{kind}: {schema}");
            let outcome = client.call(tool, arguments).await;
            assert_eq!(outcome.structured(), Some(&value), "{kind}");
            assert!(jsonschema::is_valid(schema, &value), "{kind}: {schema}");
            assert_eq!(outcome.text(), mirror, "{kind}");
            assert!(!outcome.is_error(), "{kind}");
        }
        assert!(schemas[2].is_null(), "{kind}: content has no schema");
    }
}

#[tokio::test(start_paused = true)]
async fn there_is_no_structured_content_before_2025_06_18() {
    let mut client = Session::open(&server(), V2025_03_26).await;
    assert_eq!(
        output_schemas(&mut client).await,
        [Value::Null, Value::Null, Value::Null]
    );
    let outcome = client.call("count", json!({ "fail": false })).await;
    assert_eq!(outcome.structured(), None);
    assert_eq!(outcome.text(), r#"{"rows":3,"clean":true}"#);
}

#[tokio::test(start_paused = true)]
async fn a_failed_result_has_no_structured_content() {
    let server = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let outcome = client.call("count", json!({ "fail": true })).await;
        assert!(outcome.is_error(), "{kind}: {outcome:?}");
        assert_eq!(outcome.structured(), None, "{kind}");
        assert_eq!(outcome.text(), "no such table", "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn content_of_every_kind_reaches_every_client() {
    let server = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let outcome = client.call("gallery", json!({})).await;
        let blocks = outcome.result()["content"].as_array().expect("blocks");
        let kinds: Vec<&str> = blocks
            .iter()
            .filter_map(|block| block["type"].as_str())
            .collect();
        // 2025-03-26 has no links: a text stands in.
        let link = if kind == V2025_03_26 {
            "text"
        } else {
            "resource_link"
        };
        assert_eq!(
            kinds,
            ["text", "image", "audio", link, "resource"],
            "{kind}"
        );
        assert_eq!(blocks[1]["data"], "AQID", "{kind}");
        assert_eq!(blocks[1]["mimeType"], "image/png", "{kind}");
        assert!(blocks[3].to_string().contains("file:///a"), "{kind}");
        assert_eq!(blocks[4]["resource"]["text"], "b", "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_gives_what_the_call_would_have_given() {
    let server = server();
    for kind in TASK_CLIENTS {
        let mut client = Session::open(&server, kind).await;
        for fail in [false, true] {
            let inline = client.call_plainly("count", json!({ "fail": fail })).await;
            let task = client.start_task("count", json!({ "fail": fail })).await;
            let result = if kind == CoreTasks {
                let mut result = client.about("tasks/result", &task).await.unwrap();
                let fields = result.as_object_mut().expect("an object");
                assert!(fields.remove("_meta").is_some(), "{kind}");
                assert_eq!(result, inline.unwrap(), "{kind}");
                result
            } else {
                client.get_until(&task, "completed").await["result"].clone()
            };
            assert_eq!(result["isError"], fail, "{kind}");
            assert_eq!(result.get("structuredContent").is_some(), !fail, "{kind}");
        }
    }
}
