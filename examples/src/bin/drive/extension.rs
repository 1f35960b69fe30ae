//! The 2026-07-28 tasks extension: no handshake, polls with `tasks/get`, answers with `tasks/update`.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::Fault;
use crate::job::{Ending, Job};
use crate::server::Server;
use crate::tell;

const REVISION: &str = "2026-07-28";
const EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// Takes the call through its life.
pub(crate) fn drive(server: &mut Server, job: &Job, ending: Ending) -> Result<(), Fault> {
    discover(server)?;
    let task = server.request("tools/call", &modern(job.params()))?;
    if task["resultType"] != "task" || task["status"] != "working" {
        return Err(format!("the call did not become a working task: {task}").into());
    }
    tell::state(&task);
    let end = follow(server, task, ending)?;
    match (ending, end["status"].as_str()) {
        (Ending::Answer, Some("completed")) => job.check(&end["result"]),
        (Ending::Cancel, Some("cancelled")) => Ok(()),
        _ => Err(format!("the task did not end as it should: {end}").into()),
    }
}

fn discover(server: &mut Server) -> Result<(), Fault> {
    let found = server.request("server/discover", &modern(json!({})))?;
    let versions = found["supportedVersions"].as_array();
    if !versions.is_some_and(|versions| versions.contains(&json!(REVISION))) {
        return Err(format!("the server does not speak {REVISION}: {found}").into());
    }
    if !found["capabilities"]["extensions"][EXTENSION].is_object() {
        return Err(format!("the server does not offer {EXTENSION}: {found}").into());
    }
    Ok(())
}

/// Polls until the task has ended, and answers or cancels where it asks.
fn follow(server: &mut Server, mut task: Value, ending: Ending) -> Result<Value, Fault> {
    let id = task["taskId"].clone();
    let mut asked = HashSet::new();
    loop {
        server.pause(&task["pollIntervalMs"])?;
        task = server.request("tasks/get", &modern(json!({"taskId": id})))?;
        tell::state(&task);
        match task["status"].as_str() {
            Some("working") => {}
            Some("input_required") => {
                let questions = task["inputRequests"].as_object().ok_or("no questions")?;
                for (key, question) in questions {
                    if asked.insert(key.clone()) {
                        respond(server, &id, key, question, ending)?;
                    }
                }
            }
            _ if asked.is_empty() => {
                return Err(format!("the task ended without a question: {task}").into());
            }
            _ => return Ok(task),
        }
    }
}

fn respond(
    server: &mut Server,
    id: &Value,
    key: &str,
    question: &Value,
    ending: Ending,
) -> Result<(), Fault> {
    let (method, params) = match ending {
        Ending::Answer => {
            let answers = json!({key: Job::answer(question)?});
            (
                "tasks/update",
                json!({"taskId": id, "inputResponses": answers}),
            )
        }
        Ending::Cancel => {
            tell::question(question);
            ("tasks/cancel", json!({"taskId": id}))
        }
    };
    tell::line(method, &format!("about the question `{key}`"));
    let acknowledged = server.request(method, &modern(params))?;
    if acknowledged["resultType"] != "complete" {
        return Err(format!("{method} was not acknowledged: {acknowledged}").into());
    }
    Ok(())
}

/// Adds what every request of this revision carries.
fn modern(mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": REVISION,
        "io.modelcontextprotocol/clientInfo": {"name": "drive", "version": env!("CARGO_PKG_VERSION")},
        "io.modelcontextprotocol/clientCapabilities": {
            "elicitation": {"form": {}},
            "extensions": {EXTENSION: {}},
        },
    });
    params
}
