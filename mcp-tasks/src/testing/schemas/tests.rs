use std::fs;
use std::path::PathBuf;

use super::{assert_schemas, differences, rendered, write};
use crate::{RuntimeTool, Server};

/// A folder of this test's own, empty.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("mcp-tasks-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn server(name: &str, kind: &str) -> Server {
    let tool = RuntimeTool::new(name, "Counts.", |_, _| async { "7" });
    let schema = serde_json::json!({ "type": "object", "properties": { "of": { "type": kind } } });
    Server::new("s").add_tool(tool.input_schema(schema))
}

#[test]
fn schemas_are_those_that_were_written() {
    let folder = folder("same");
    let server = server("count.rows", "string");
    write(&rendered(&server), &folder).unwrap();
    assert_schemas(&server, &folder);
    let text = fs::read_to_string(folder.join("count.rows.json")).unwrap();
    assert!(
        text.starts_with("{\n  \"inputSchema\": {\n    \"type\": \"object\","),
        "{text}"
    );
    assert!(!text.contains("outputSchema"), "{text}");
    fs::write(folder.join("count.rows.json"), text.replace('\n', "\r\n")).unwrap();
    assert_schemas(&server, &folder);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_changed_schema_is_shown_line_by_line() {
    let folder = folder("changed");
    write(&rendered(&server("count", "string")), &folder).unwrap();
    let shown = differences(&rendered(&server("count", "integer")), &folder).unwrap();
    assert!(
        shown.contains("--- count.json\n+++ tool `count`\n"),
        "{shown}"
    );
    assert!(
        shown.contains("-        \"type\": \"string\"\n+        \"type\": \"integer\"\n"),
        "{shown}"
    );
    fs::remove_dir_all(folder).unwrap();
}

#[test]
#[should_panic(
    expected = "UPDATE_SCHEMAS=1 writes them anew\n\ntool `count` has no file count.json"
)]
fn a_tool_without_a_file_fails() {
    assert_schemas(&server("count", "string"), folder("none"));
}

#[test]
fn a_file_without_a_tool_fails_and_goes_with_the_next_writing() {
    let folder = folder("renamed");
    write(&rendered(&server("count", "string")), &folder).unwrap();
    let renamed = rendered(&server("number", "string"));
    let shown = differences(&renamed, &folder).unwrap();
    assert!(
        shown.contains("no tool is named `count` any more"),
        "{shown}"
    );
    write(&renamed, &folder).unwrap();
    assert_eq!(differences(&renamed, &folder).unwrap(), "");
    fs::remove_dir_all(folder).unwrap();
}
