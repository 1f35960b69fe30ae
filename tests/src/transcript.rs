//! What holds for every message of every conversation.

use std::collections::HashMap;
use std::sync::OnceLock;

use mcp_tasks::testing::{ClientKind, Direction};
use serde_json::Value;

use crate::schemas::{self, Schemas};
use crate::session::{PROTOCOL_VERSION, SUBSCRIPTION_ID};

#[cfg(test)]
mod tests;

/// One message with what it takes to judge it.
#[derive(Clone, Copy, Debug)]
pub struct Spoken<'t> {
    /// Who said it.
    pub direction: Direction,
    /// The revision it belongs to: its request's own where that names one, else the session's.
    pub revision: &'t str,
    /// For a response, the method it responds to; `None` where it responds to nothing that was readable.
    pub answers: Option<&'t str>,
    /// The message.
    pub message: &'t Value,
}

/// The messages of a conversation, batches taken apart.
pub fn messages(kind: ClientKind, transcript: &[(Direction, Value)]) -> Vec<Spoken<'_>> {
    let mut requests: HashMap<(Direction, String), (&str, &str)> = HashMap::new();
    let mut spoken = Vec::new();
    for (direction, line) in transcript {
        let members = line
            .as_array()
            .map_or(std::slice::from_ref(line), Vec::as_slice);
        for message in members {
            let id = message.get("id").map(Value::to_string);
            let method = message["method"].as_str();
            let asked = |id: String| requests.get(&(other(*direction), id)).copied();
            let (answers, revision) = match (&id, method) {
                (Some(id), None) => asked(id.clone()).unzip(),
                _ => (None, message["params"]["_meta"][PROTOCOL_VERSION].as_str()),
            };
            let revision = revision.unwrap_or(kind.revision());
            if let (Some(id), Some(method)) = (id, method) {
                requests.insert((*direction, id), (method, revision));
            }
            spoken.push(Spoken {
                direction: *direction,
                revision,
                answers,
                message,
            });
        }
    }
    spoken
}

fn other(direction: Direction) -> Direction {
    match direction {
        Direction::ToServer => Direction::ToClient,
        Direction::ToClient => Direction::ToServer,
    }
}

/// Judges everything the server said.
///
/// # Panics
/// With every fault there is.
pub fn judge(kind: ClientKind, transcript: &[(Direction, Value)]) {
    let spoken = messages(kind, transcript);
    let mut faults = Vec::new();
    for said in spoken
        .iter()
        .filter(|said| said.direction == Direction::ToClient)
    {
        let found = faults_of(said)
            .into_iter()
            .map(ToOwned::to_owned)
            .chain(misfit(said));
        faults.extend(found.map(|fault| format!("{fault}: {}", said.message)));
    }
    faults.extend(repeated_answers(&spoken));
    faults.extend(falling_progress(&spoken));
    assert!(
        faults.is_empty(),
        "{kind}: the server broke the protocol\n{}",
        faults.join("\n")
    );
}

fn faults_of(said: &Spoken<'_>) -> Vec<&'static str> {
    let message = said.message;
    let modern = said.revision == ClientKind::TasksExtension.revision();
    let mut faults = Vec::new();
    if message["jsonrpc"] != "2.0" {
        faults.push("no JSON-RPC 2.0 message");
    }
    if let Some(result) = message.get("result") {
        let kind = result.get("resultType").and_then(Value::as_str);
        match (modern, kind) {
            (true, Some("complete")) | (false, None) => {}
            (true, Some("task")) if said.answers == Some("tools/call") => {}
            (true, Some("input_required")) if said.answers.is_some_and(may_ask) => {}
            (true, _) => faults.push("a wrong `resultType`"),
            (false, Some(_)) => faults.push("`resultType` in a legacy result"),
        }
        if said.answers.is_none() {
            faults.push("a result nobody asked for");
        }
    }
    if modern && message.get("method").is_some() && message.get("id").is_some() {
        faults.push("a request to a modern client");
    }
    let subscribed = &message["params"]["_meta"][SUBSCRIPTION_ID];
    if message["method"] == "notifications/tasks" && subscribed.is_null() {
        faults.push("no subscription id");
    }
    faults
}

/// "`InputRequiredResult`" (2026-07-28 multi round-trip requests).
fn may_ask(method: &str) -> bool {
    matches!(method, "tools/call" | "prompts/get" | "resources/read")
}

/// Judges everything the client said by the official schemas.
///
/// # Panics
/// With every fault there is.
pub fn judge_client(kind: ClientKind, transcript: &[(Direction, Value)]) {
    let spoken = messages(kind, transcript);
    let own = spoken
        .iter()
        .filter(|said| said.direction == Direction::ToServer);
    let faults: Vec<String> = own.filter_map(misfit).collect();
    assert!(
        faults.is_empty(),
        "{kind}: the client broke the protocol\n{}",
        faults.join("\n")
    );
}

/// What the official schema says of a message. An error without an id has no form before 2025-11-25, and a
/// result that answers nothing is a fault already.
fn misfit(said: &Spoken<'_>) -> Option<String> {
    static SCHEMAS: OnceLock<Option<Schemas>> = OnceLock::new();
    let schemas = SCHEMAS.get_or_init(Schemas::load).as_ref()?;
    // Whoever asks for a revision that there is not is answered in the words of the modern one.
    let revision = match said.direction {
        _ if schemas::REVISIONS.contains(&said.revision) => said.revision,
        Direction::ToServer => return None,
        Direction::ToClient => ClientKind::TasksExtension.revision(),
    };
    let message = said.message;
    if is_sep_1686(said) {
        return None;
    }
    let unreadable = message.get("error").is_some() && message.get("id").is_none();
    let has_form = matches!(revision, "2025-11-25" | "2026-07-28");
    let answers = said
        .answers
        // No schema knows the methods of an application, which the tests' own put under `app/`.
        .filter(|method| !method.starts_with("app/"))
        .or_else(|| (unreadable && has_form).then_some("an unreadable request"));
    if message.get("method").is_none() && answers.is_none() {
        return None;
    }
    let direction = match said.direction {
        Direction::ToServer => schemas::Direction::ToServer,
        Direction::ToClient => schemas::Direction::ToClient,
    };
    schemas
        .check_message(revision, direction, answers, message)
        .err()
}

/// The draft was never a revision: no schema knows what it adds to one.
fn is_sep_1686(said: &Spoken<'_>) -> bool {
    let related = "modelcontextprotocol.io/related-task";
    let message = said.message;
    let of_task = |meta: &Value| meta.get(related).is_some();
    let lists_drafts = |list: &Value| {
        let tasks = list.as_array();
        tasks.is_some_and(|tasks| tasks.iter().any(|task| task.get("keepAlive").is_some()))
    };
    let about_tasks = said.answers.or(message["method"].as_str());
    about_tasks.is_some_and(|method| method.starts_with("tasks/"))
        && (said.revision < "2025-11-25"
            || of_task(&message["result"]["_meta"])
            || lists_drafts(&message["result"]["tasks"])
            || about_tasks == Some("tasks/delete"))
        || message["method"] == "notifications/tasks/created"
}

/// At most one response for each request, and none for a request that was never made.
fn repeated_answers(spoken: &[Spoken<'_>]) -> Vec<String> {
    let mut open: HashMap<String, i64> = HashMap::new();
    let mut faults = Vec::new();
    for said in spoken {
        let Some(id) = said.message.get("id").map(Value::to_string) else {
            continue;
        };
        let request = said.message.get("method").is_some();
        match said.direction {
            Direction::ToServer if request => *open.entry(id).or_default() += 1,
            Direction::ToClient if !request => {
                let left = open.entry(id).or_default();
                *left -= 1;
                if *left < 0 {
                    faults.push(format!("one response too many: {}", said.message));
                }
            }
            _ => {}
        }
    }
    faults
}

/// "The progress value MUST increase with each notification" (progress, all revisions).
fn falling_progress(spoken: &[Spoken<'_>]) -> Vec<String> {
    let mut last: HashMap<String, f64> = HashMap::new();
    let mut faults = Vec::new();
    for said in spoken
        .iter()
        .filter(|said| said.message["method"] == "notifications/progress")
    {
        let params = &said.message["params"];
        let value = params["progress"].as_f64().unwrap_or(f64::NAN);
        let before = last.insert(params["progressToken"].to_string(), value);
        if value.is_nan() || before.is_some_and(|before| value <= before) {
            faults.push(format!("progress that does not rise: {}", said.message));
        }
    }
    faults
}
