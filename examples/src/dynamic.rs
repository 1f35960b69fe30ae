//! Tools that are known only at run time, and that come and go while the server runs.
//!
//! `watch` adds a tool for each sensor that it is told of, `unwatch` takes it away again. Shows
//!
//! - `RuntimeTool`: a name, a description, a schema and a closure;
//! - `LiveTools`: a set of such tools that the server offers, which clients are told of when it changes;
//! - the set as `State`, so that a tool can change it.
//!
//! Run it: `cargo run -p examples --bin dynamic`.

use std::num::NonZeroU32;

use mcp_tasks::prelude::*;
use mcp_tasks::{LiveTools, RuntimeTool};
use serde::Deserialize;
use serde_json::{Value, json};

/// Offer a tool that reads a sensor.
#[mcp_tool(idempotent)]
async fn watch(
    /// Letters, digits and `_`; the tool is called `read_` and this
    #[arg(min_len = 1, max_len = 60)]
    sensor: String,
    /// What it measures in, such as `°C`
    unit: String,
    State(sensors): State<LiveTools>,
) -> Result<String, ToolError> {
    let tool = reading(sensor, unit);
    let name = tool.name().to_owned();
    sensors.add(tool)?;
    Ok(format!("there is now a tool `{name}`"))
}

/// Take away the tool that reads a sensor.
#[mcp_tool(idempotent)]
async fn unwatch(sensor: String, State(sensors): State<LiveTools>) -> Result<String, ToolError> {
    if sensors.remove(&tool_name(&sensor)) {
        Ok(format!("{sensor} is no longer watched"))
    } else {
        Err(format!("nobody watches {sensor}").into())
    }
}

/// What the schema below describes; nothing else checks the arguments of a `RuntimeTool`.
#[derive(Deserialize)]
struct Average {
    #[serde(default = "one")]
    samples: NonZeroU32,
}

fn one() -> NonZeroU32 {
    NonZeroU32::MIN
}

fn tool_name(sensor: &str) -> String {
    format!("read_{sensor}")
}

/// A tool that reads `sensor` several times and gives the mean. It may run as a task, like any other.
fn reading(sensor: String, unit: String) -> RuntimeTool {
    let name = tool_name(&sensor);
    let description = format!("Read the sensor {sensor}, in {unit}.");
    let schema = json!({
        "type": "object",
        "properties": {
            "samples": { "type": "integer", "minimum": 1, "default": 1, "description": "Readings to average" },
        },
    });
    RuntimeTool::new(name, description, move |ctx: Context, arguments: Value| {
        let (sensor, unit) = (sensor.clone(), unit.clone());
        async move {
            let Average { samples } = serde_json::from_value(arguments)?;
            let samples = samples.get();
            let mut sum = 0.0;
            for done in 0..samples {
                ctx.progress(done, samples, "reading");
                tokio::time::sleep(Duration::from_millis(500)).await;
                sum += measure(&sensor);
            }
            Ok::<_, ToolError>(format!("{:.1} {unit}", sum / f64::from(samples)))
        }
    })
    .input_schema(schema)
    .read_only(true)
    .task()
}

/// Stands for the sensor: the length of its name never fails.
fn measure(sensor: &str) -> f64 {
    f64::from(u8::try_from(sensor.len()).unwrap_or(u8::MAX))
}

/// A server that watches no sensor yet.
pub fn server() -> Server {
    let sensors = LiveTools::new();
    Server::new("sensors")
        .live_tools(&sensors)
        .state(sensors)
        .tools(tools![watch, unwatch])
}
