//! What a schema promises and no Rust type enforces, checked by the feature `validate`.

use mcp_tasks::RuntimeTool;
use mcp_tasks::prelude::*;
use mcp_tasks::testing::{ClientKind, every_client};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tests::session::{Session, text};
use tests::tools::Probe;

#[derive(Deserialize, JsonSchema)]
struct Member {
    #[schemars(regex(pattern = "^[a-z]+$"), length(max = 8))]
    name: String,
    #[schemars(range(min = 18))]
    age: u8,
    nick: Option<String>,
}

/// Let somebody join.
#[mcp_tool(task)]
async fn join(member: Member, team: String, State(probe): State<Probe>) -> String {
    let _inside = probe.enter();
    let nick = member.nick.unwrap_or(member.name);
    format!("{nick} ({}) joined {team}", member.age)
}

#[derive(Deserialize, JsonSchema)]
struct Step {
    #[schemars(range(max = 10))]
    size: f64,
}

/// Move on by steps.
#[mcp_tool]
async fn advance(Args(step): Args<Step>) -> String {
    step.size.to_string()
}

#[derive(Deserialize, JsonSchema)]
struct Copies {
    #[schemars(range(min = 1, max = 255))]
    count: u32,
    #[schemars(length(equal = 1))]
    format: String,
}

/// Print.
#[mcp_tool]
async fn print(Args(copies): Args<Copies>) -> String {
    format!("{} as {}", copies.count, copies.format)
}

const PAINT: &str = r#"{
    "type": "object",
    "properties": {
        "colour": { "type": "string", "enum": ["red", "blue"] },
        "coats": { "type": "integer", "multipleOf": 2 }
    },
    "required": ["colour"]
}"#;

/// Paint the shed.
#[mcp_tool(input_schema = PAINT)]
async fn paint(colour: Option<String>, coats: Option<u8>) -> String {
    format!("{coats:?} of {colour:?}")
}

fn count() -> RuntimeTool {
    let schema = json!({
        "type": "object",
        "properties": { "of": { "type": "string", "minLength": 1 } },
        "additionalProperties": false,
    });
    RuntimeTool::new("count", "Counts.", |_, arguments: Value| async move {
        arguments.to_string()
    })
    .input_schema(schema)
}

fn server() -> (Server, Probe) {
    let probe = Probe::default();
    let server = Server::new("promising").tools(tools![join, advance, print, paint]);
    (server.add_tool(count()).state(probe.clone()), probe)
}

async fn called(client: &mut Session, tool: &str, arguments: Value) -> (bool, String) {
    let result = client.call_plainly(tool, arguments).await.unwrap();
    (result["isError"] == true, text(&result).to_owned())
}

#[tokio::test(start_paused = true)]
async fn all_faults_are_told_at_once_by_whomever_they_were_found() {
    let (server, probe) = server();
    let arguments = json!({ "member": { "name": "Anneliese", "age": 7 }, "team": 5 });
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let (is_error, told) = called(&mut client, "join", arguments.clone()).await;
        assert!(is_error, "{kind}");
        let mut lines: Vec<&str> = told.lines().collect();
        lines[1..].sort_unstable();
        assert_eq!(
            lines,
            [
                "Invalid arguments for `join`:",
                "- `member.age`: must be at least 18, got 7",
                "- `member.name`: must have at most 8 characters, got 9",
                "- `member.name`: must match the pattern `^[a-z]+$`, got \"Anneliese\"",
                "- `team`: invalid type: integer `5`, expected a string",
            ],
            "{kind}"
        );
        if kind == ClientKind::CoreTasks {
            let params = json!({ "name": "join", "arguments": arguments, "task": {} });
            let error = client.request("tools/call", params).await.unwrap_err();
            assert_eq!(error.code, -32602);
            assert!(error.message.contains("`member.age`"), "{error}");
        }
    }
    assert_eq!(probe.started(), 0);
}

#[tokio::test(start_paused = true)]
async fn what_decoding_takes_in_another_spelling_is_checked_as_it_was_read() {
    let (server, _) = server();
    let mut client = Session::open(&server, ClientKind::V2026_07_28).await;
    let join = |member: Value| json!({ "member": member, "team": "red" });
    let fine = join(json!({ "name": "ann", "age": 18, "nick": null }));
    let said = called(&mut client, "join", fine).await;
    assert_eq!(said, (false, "ann (18) joined red".to_owned()));
    let fine = join(json!(r#"{"name": "ann", "age": 18.0}"#));
    let said = called(&mut client, "join", fine).await;
    assert_eq!(said, (false, "ann (18) joined red".to_owned()));
    let young = join(json!(r#"{"name": "ann", "age": 17.0}"#));
    let (is_error, told) = called(&mut client, "join", young).await;
    assert!(is_error);
    assert!(
        told.ends_with("- `member.age`: must be at least 18, got 17"),
        "{told}"
    );
}

#[tokio::test(start_paused = true)]
async fn arguments_taken_as_one_are_checked_too() {
    let (server, _) = server();
    let mut client = Session::open(&server, ClientKind::V2026_07_28).await;
    let said = called(&mut client, "advance", json!({ "size": 10 })).await;
    assert_eq!(said, (false, "10".to_owned()));
    let (is_error, told) = called(&mut client, "advance", json!({ "size": 10.5 })).await;
    assert!(is_error);
    assert!(
        told.ends_with("- `size`: must be at most 10, got 10.5"),
        "{told}"
    );
}

/// Such bounds are those of a `NonZeroU8` and a `char` as well.
#[tokio::test(start_paused = true)]
async fn bounds_that_a_type_could_bring_along_are_checked_where_it_does_not() {
    let (server, _) = server();
    let mut client = Session::open(&server, ClientKind::V2026_07_28).await;
    let said = called(&mut client, "print", json!({ "count": 255, "format": "A" })).await;
    assert_eq!(said, (false, "255 as A".to_owned()));
    for (arguments, wrong) in [
        (
            json!({ "count": 0, "format": "A" }),
            "- `count`: must be at least 1, got 0",
        ),
        (
            json!({ "count": 256, "format": "A" }),
            "- `count`: must be at most 255, got 256",
        ),
        (
            json!({ "count": 1, "format": "A4" }),
            "- `format`: must have at most 1 characters, got 2",
        ),
    ] {
        let (is_error, told) = called(&mut client, "print", arguments).await;
        assert!(is_error && told.ends_with(wrong), "{told}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_schema_by_hand_is_kept_to_whole() {
    let (server, _) = server();
    let mut client = Session::open(&server, ClientKind::V2026_07_28).await;
    let said = called(
        &mut client,
        "paint",
        json!({ "colour": "red", "coats": null }),
    )
    .await;
    assert_eq!(said, (false, "None of Some(\"red\")".to_owned()));
    let (is_error, told) = called(&mut client, "paint", json!({ "coats": 3 })).await;
    assert!(is_error);
    assert!(told.contains("- `colour`: missing"), "{told}");
    assert!(
        told.contains("- `coats`: must be a multiple of 2, got 3"),
        "{told}"
    );
    let (_, told) = called(&mut client, "paint", json!({ "colour": "green" })).await;
    assert!(
        told.ends_with("- `colour`: must be one of \"red\", \"blue\", got \"green\""),
        "{told}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_closure_gets_only_what_its_schema_takes() {
    let (server, _) = server();
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let said = called(&mut client, "count", json!({ "of": "x" })).await;
        assert_eq!(said, (false, r#"{"of":"x"}"#.to_owned()), "{kind}");
        let (is_error, told) = called(&mut client, "count", json!({ "of": "", "by": 1 })).await;
        assert!(is_error, "{kind}");
        assert!(
            told.contains("- `of`: must have at least 1 characters, got 0"),
            "{told}"
        );
        assert!(told.contains("- `by`: unknown"), "{told}");
    }
}

#[test]
fn a_schema_that_is_none_keeps_the_server_from_starting() {
    let broken = |pattern: &str| {
        let schema = json!({ "type": "object", "properties": { "v": { "pattern": pattern } } });
        RuntimeTool::new("odd", "Is odd.", |_, _| async {}).input_schema(schema)
    };
    assert!(Server::new("s").add_tool(broken("^a$")).check().is_ok());
    let error = Server::new("s").add_tool(broken("(")).check().unwrap_err();
    assert!(
        error
            .to_string()
            .contains("tool `odd`: its input schema is no JSON Schema"),
        "{error}"
    );
}
