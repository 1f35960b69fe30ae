//! A tool as its server lists it.

use serde_json::{Map, Value};

use crate::model::tool::{Mirrored, TaskSupport};

/// A tool of a server's. [`Client`](crate::client::Client) has an example.
#[derive(Clone, Debug)]
pub struct RemoteTool {
    pub(crate) name: String,
    pub(crate) json: Map<String, Value>,
    /// Arguments that HTTP clients repeat in headers.
    pub(crate) mirrored: Vec<Mirrored>,
}

impl RemoteTool {
    /// Its name, by which it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A name for people, where it has one.
    pub fn title(&self) -> Option<&str> {
        self.text("title").or_else(|| {
            let annotations = self.json.get("annotations")?;
            annotations.get("title")?.as_str()
        })
    }

    /// What it does.
    pub fn description(&self) -> Option<&str> {
        self.text("description")
    }

    /// The JSON Schema of its arguments, as it came. `null` where the server gave none.
    pub fn input_schema(&self) -> &Value {
        self.json.get("inputSchema").unwrap_or(&Value::Null)
    }

    /// The JSON Schema of its structured content, where it has one.
    pub fn output_schema(&self) -> Option<&Value> {
        self.json.get("outputSchema")
    }

    /// Whether its calls may be tasks, as 2025-11-25 tells it; other revisions say nothing before the call.
    pub fn task_support(&self) -> TaskSupport {
        let execution = self.json.get("execution");
        match execution.and_then(|execution| execution.get("taskSupport")?.as_str()) {
            Some("optional") => TaskSupport::Optional,
            Some("required") => TaskSupport::Required,
            _ => TaskSupport::Never,
        }
    }

    /// A hint of the tool's, such as `destructiveHint`; `None` leaves the protocol's default.
    pub fn hint(&self, name: &str) -> Option<bool> {
        self.json.get("annotations")?.get(name)?.as_bool()
    }

    /// The whole definition as it came.
    pub fn json(&self) -> &Map<String, Value> {
        &self.json
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.json.get(key)?.as_str()
    }
}
