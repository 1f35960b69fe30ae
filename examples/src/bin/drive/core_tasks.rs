//! The core tasks of 2025-11-25: a handshake, `task` on the call, questions as requests of the
//! server, and the result from a `tasks/result` that waits for it.

use serde_json::{Value, json};

use crate::Fault;
use crate::job::{Ending, Job};
use crate::server::Server;
use crate::tell;

const REVISION: &str = "2025-11-25";
const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";

/// Takes the call through its life.
pub(crate) fn drive(server: &mut Server, job: &Job, ending: Ending) -> Result<(), Fault> {
    initialize(server)?;
    let task = create(server, job)?;
    let id = json!({"taskId": task["taskId"]});
    follow_until_asked(server, &id, task)?;
    match ending {
        Ending::Answer => answer(server, job, &id),
        Ending::Cancel => cancel(server, &id),
    }
}

fn initialize(server: &mut Server) -> Result<(), Fault> {
    let params = json!({
        "protocolVersion": REVISION,
        "capabilities": {"elicitation": {"form": {}}},
        "clientInfo": {"name": "drive", "version": env!("CARGO_PKG_VERSION")},
    });
    let reply = server.request("initialize", &params)?;
    let offers_tasks = reply["capabilities"]["tasks"]["requests"]["tools"]["call"].is_object();
    if reply["protocolVersion"] != REVISION || !offers_tasks {
        return Err(format!("the server does not offer tasks of {REVISION}: {reply}").into());
    }
    server.notify("notifications/initialized")
}

fn create(server: &mut Server, job: &Job) -> Result<Value, Fault> {
    let mut params = job.params();
    params["task"] = json!({"ttl": 600_000});
    params["_meta"] = json!({"progressToken": "drive"});
    let mut reply = server.request("tools/call", &params)?;
    if reply["task"]["status"] != "working" {
        return Err(format!("the call did not become a working task: {reply}").into());
    }
    let task = reply["task"].take();
    tell::state(&task);
    Ok(task)
}

fn follow_until_asked(server: &mut Server, id: &Value, mut task: Value) -> Result<(), Fault> {
    while task["status"] == "working" {
        server.pause(&task["pollInterval"])?;
        task = get(server, id)?;
    }
    if task["status"] != "input_required" {
        return Err(format!("the task ended without a question: {task}").into());
    }
    Ok(())
}

fn get(server: &mut Server, id: &Value) -> Result<Value, Fault> {
    let task = server.request("tasks/get", id)?;
    tell::state(&task);
    Ok(task)
}

fn answer(server: &mut Server, job: &Job, id: &Value) -> Result<(), Fault> {
    let waiting = server.post("tasks/result", id)?;
    tell::line("tasks/result", "waits for the end, and brings the question");
    let question = server.next_request()?;
    if question["method"] != "elicitation/create"
        || question["params"]["_meta"][RELATED_TASK] != *id
    {
        return Err(format!("not a question of this task: {question}").into());
    }
    let answer = Job::answer(&question)?;
    server.reply(&question, &answer)?;
    let result = server.result(waiting)?;
    let task = get(server, id)?;
    if task["status"] != "completed" || result["_meta"][RELATED_TASK] != *id {
        return Err(format!("the task did not end as it should: {task}, {result}").into());
    }
    job.check(&result)
}

/// This wire's cancel is done when it is answered, and nothing undoes it.
fn cancel(server: &mut Server, id: &Value) -> Result<(), Fault> {
    tell::line("tasks/cancel", "while its question is open");
    let reply = server.request("tasks/cancel", id)?;
    let task = get(server, id)?;
    if reply["status"] != "cancelled" || task["status"] != "cancelled" {
        return Err(format!("the task is not cancelled: {reply}, {task}").into());
    }
    let result = server.request("tasks/result", id)?;
    tell::result(&result);
    if result["isError"] != true {
        return Err(format!("a cancelled call has a result: {result}").into());
    }
    Ok(())
}
