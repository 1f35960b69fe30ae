//! What a server has on the wire that is spoken with it, as far as it is known before it is asked for.

use mcp_tasks::client::{Client, RemoteTool, TaskSupport, Wire};

use crate::clean;
use crate::options::ServerOptions;

/// The extension of 2026-07-28 that makes tasks of calls.
const TASKS: &str = "io.modelcontextprotocol/tasks";

/// Why no call of the tool becomes a task.
pub(crate) fn why_no_task(client: &Client, tool: &RemoteTool) -> Option<String> {
    let (wire, server) = (client.wire(), client.server());
    let offered = match wire {
        Wire::V2026_07_28 => server.offers(&["extensions", TASKS]),
        Wire::V2025_11_25 => server.offers(&["tasks", "requests", "tools", "call"]),
        Wire::Draft => true,
        _ => return Some(format!("there are no tasks on the wire {wire}")),
    };
    if !offered {
        let server = clean::line(server.label());
        return Some(format!("{server} makes no tasks of calls"));
    }
    // In 2026-07-28 the server decides anew with each call.
    let never = wire == Wire::V2025_11_25 && tool.task_support() == TaskSupport::Never;
    never.then(|| format!("`{}` is never a task", clean::line(tool.name())))
}

/// Why nobody can be asked to keep the task of the tool's call.
pub(crate) fn why_not_kept(client: &Client, tool: &RemoteTool) -> Option<String> {
    why_no_task(client, tool).or_else(|| {
        let wire = client.wire();
        (wire == Wire::V2026_07_28)
            .then(|| format!("on the wire {wire} the server alone says how long it keeps a task"))
    })
}

/// Why a server's list of tasks may be empty, where there is a reason to be seen from here.
pub(crate) fn why_no_tasks(wire: Wire, server: &ServerOptions) -> &'static str {
    let tells_who = server.token().is_some() || !server.header.is_empty();
    match &server.place.url {
        _ if wire == Wire::Draft => {
            "; on the wire sep-1686 it lists those of a session, and this one is new"
        }
        None => "; it was started just now",
        Some(_) if !tells_who => {
            "; it may list them by who asks, and no token was given (--bearer)"
        }
        Some(_) => "",
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::options::{Command, Options};

    #[test]
    fn a_list_may_be_empty_for_a_reason() {
        let why = |wire, words: &[&str]| {
            let words = [&["mcp-tasks", "tools"], words].concat();
            match Options::try_parse_from(words).expect("right").command {
                Command::Tools { server, .. } => why_no_tasks(wire, &server),
                other => panic!("{other:?}"),
            }
        };
        let core = Wire::V2025_11_25;
        for (wire, words, reason) in [
            (core, &["--", "server"][..], "; it was started just now"),
            (
                core,
                &["--url", "http://h", "--bearer", ""],
                "no token was given (--bearer)",
            ),
            (core, &["--url", "http://h", "--bearer", "t"], ""),
            (core, &["--url", "http://h", "--header", "x-key: k"], ""),
            (Wire::Draft, &["--url", "http://h"], "this one is new"),
        ] {
            let told = why(wire, words);
            assert!(told.ends_with(reason), "{words:?}: {told}");
            assert_eq!(told.is_empty(), reason.is_empty(), "{words:?}: {told}");
        }
    }
}
