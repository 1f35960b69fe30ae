use std::collections::HashMap;

use mcp_tasks::prelude::*;

const KEEP: Duration = Duration::from_secs(60);
const TITLE: &str = "Everything";
const MOST: usize = 4;

#[derive(serde::Deserialize, schemars::JsonSchema)]
enum Mode {
    Fast,
    Careful,
}

fn mode() -> Mode {
    Mode::Careful
}

/// Has every option.
#[mcp_tool(
    name = "every.option-1",
    title = TITLE,
    icons = "https://example.test/icon.png",
    meta = r#"{"example.test/team":"infra"}"#,
    read_only = false,
    destructive,
    idempotent = true,
    open_world = false,
    input_schema = r#"{"type":"object"}"#,
    output_schema = concat!("{\"type\"", ":\"object\"}"),
    allow_unknown,
    needs(elicitation, sampling),
    task(keep = KEEP, poll_interval = "2s", after = "200ms"),
    timeout = "30m",
    max_running = MOST,
    cancel_grace = "5s",
    crate = ::mcp_tasks,
)]
async fn every_option() -> &'static str {
    "done"
}

/// Has every kind of parameter.
#[mcp_tool(task(required, begin = "manual"))]
async fn every_parameter(
    /// Documented here.
    plain: String,
    mut changed: u8,
    r#type: Option<bool>,
    #[arg(default)] tags: Vec<String>,
    #[arg(default = 5, min = 1, max = 10, example = 7)] count: u32,
    #[arg(default = -0.5, min = -1, max = 1.5)] ratio: f64,
    #[arg(default = "x", rename = "kind-of", description = "Described", min_len = 1, max_len = MOST)] kind: String,
    #[arg(default = mode())] mode: Mode,
    #[arg(header = "Region")] region: Option<String>,
    #[arg(min_items = 1,)] #[arg()] #[arg(max_items = 5, example = ["a", "b"])] names: Vec<String>,
    ctx: Context,
    State(limit): State<u64>,
    #[arg(inject)] state: State<String>,
    _: Context,
) -> Result<String, ToolError> {
    changed += 1;
    let mode = match mode {
        Mode::Fast => "fast",
        Mode::Careful => "careful",
    };
    let _ = (ctx, limit, state.0, ratio, names, tags, region);
    Ok(format!("{plain}{changed}{:?}{count}{kind}{mode}", r#type))
}

/// Takes all arguments at once, on a thread of its own.
#[mcp_tool(blocking)]
fn whole_object(Args(all): Args<HashMap<String, String>>) -> String {
    all.into_values().collect()
}

fn main() {
    let _ = tools![every_option, every_parameter, whole_object];
    let _ = tools![];
    let _ = tools![crate = ::mcp_tasks; every_option,];
}
