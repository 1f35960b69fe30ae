//! Capabilities that an application declares for methods of its own.

use serde_json::{Map, Value};

/// Declared by this crate, for what it serves itself.
const OWN: [&str; 3] = ["logging", "tools", "tasks"];
const TASKS_EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// What no client could read, or what this crate says itself.
pub(super) fn check(declared: &Map<String, Value>, faults: &mut Vec<String>) {
    for (name, value) in declared {
        if OWN.contains(&name.as_str()) {
            faults.push(format!(
                "`capability` names `{name}`, which the server declares by itself"
            ));
        } else if !value.is_object() {
            faults.push(format!(
                "the capability `{name}` must be an object, such as `json!({{}})`"
            ));
        }
    }
    if declared
        .get("extensions")
        .is_some_and(|extensions| extensions.get(TASKS_EXTENSION).is_some())
    {
        faults.push(format!(
            "`capability` names the extension `{TASKS_EXTENSION}`, which the server declares by itself"
        ));
    }
}
