//! What the command line says.

use std::ffi::OsString;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use mcp_tasks::LogLevel;
use mcp_tasks::client::Wire;

/// The variable that may hold the bearer token: the words of a command can be seen by other users of a machine.
pub(crate) const BEARER: &str = "MCP_TASKS_BEARER";

/// Where a server's place stands in the usage of a command: clap would show it before the other words.
macro_rules! usage {
    ($command:literal) => {
        concat!(
            "mcp-tasks ",
            $command,
            " [OPTIONS] <--url URL | -- COMMAND ..>"
        )
    };
}

const EXIT_CODES: &str = "\
Exit codes:
  0    a result
  1    a result by which the tool reports an error
  2    the command line, or an argument of the tool's, is wrong
  3    the server answered with an error, or the task failed
  4    the server could not be reached, did not answer as one, turned the request away by an HTTP status, or is gone
  5    --timeout is over
  130  cancelled, or left running by a second Ctrl-C";

/// Lists, calls and follows the tools of any MCP server.
#[derive(Debug, Parser)]
#[command(name = "mcp-tasks", version, after_help = EXIT_CODES)]
pub(crate) struct Options {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the tools, or describe one with its arguments
    #[command(after_help = EXIT_CODES, override_usage = usage!("tools [NAME]"))]
    Tools {
        /// The tool to describe
        name: Option<String>,
        #[command(flatten)]
        server: ServerOptions,
    },
    /// Call a tool, and follow the call until its end
    #[command(after_help = EXIT_CODES, override_usage = usage!("call TOOL [NAME=VALUE ..]"))]
    Call {
        /// The tool
        tool: String,
        /// Its arguments: `name=value`, read as the tool's schema says and repeated for a list, or `name:=JSON`
        #[arg(value_name = "NAME=VALUE")]
        arguments: Vec<String>,
        /// Send the arguments without comparing them with the tool's schema
        #[arg(long)]
        unchecked: bool,
        /// How long the server should keep the task, such as `1h` (2025-11-25 and sep-1686)
        #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration)]
        keep: Option<Duration>,
        /// Leave the call's task running: print its id, and the command that comes back to it (over --url)
        #[arg(long, conflicts_with = "no_tasks")]
        detach: bool,
        #[command(flatten)]
        patience: Patience,
        #[command(flatten)]
        questions: QuestionOptions,
        #[command(flatten)]
        server: ServerOptions,
    },
    /// See to a task that a call has become
    #[command(subcommand, after_help = EXIT_CODES)]
    Task(TaskCommand),
}

#[derive(Debug, Subcommand)]
pub(crate) enum TaskCommand {
    /// Show a task as it is now
    #[command(after_help = EXIT_CODES, override_usage = usage!("task get ID"))]
    Get(TaskOptions),
    /// List the tasks that the server has for you
    #[command(after_help = EXIT_CODES, override_usage = usage!("task list"))]
    List {
        #[command(flatten)]
        server: ServerOptions,
    },
    /// Follow a task until its end, and print its result as the call would have
    #[command(after_help = EXIT_CODES, override_usage = usage!("task wait ID"))]
    Wait {
        #[command(flatten)]
        task: TaskOptions,
        #[command(flatten)]
        patience: Patience,
        #[command(flatten)]
        questions: QuestionOptions,
    },
    /// Print the result of a task that has ended
    #[command(after_help = EXIT_CODES, override_usage = usage!("task result ID"))]
    Result(TaskOptions),
    /// Cancel a task
    #[command(after_help = EXIT_CODES, override_usage = usage!("task cancel ID"))]
    Cancel(TaskOptions),
    /// Delete a task and its result (sep-1686)
    #[command(after_help = EXIT_CODES, override_usage = usage!("task delete ID"))]
    Delete(TaskOptions),
}

#[derive(Debug, Args)]
pub(crate) struct TaskOptions {
    /// The task's id
    pub(crate) id: String,
    #[command(flatten)]
    pub(crate) server: ServerOptions,
}

#[derive(Debug, Args)]
pub(crate) struct Patience {
    /// Cancel the call, or the task, if it has not ended after this time, such as `5m`
    #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration)]
    pub(crate) timeout: Option<Duration>,
}

/// Where the server is, and how to speak with it.
#[derive(Debug, Args)]
#[command(next_help_heading = "Server")]
pub(crate) struct ServerOptions {
    #[command(flatten)]
    pub(crate) place: Place,
    /// A header for each request over HTTP
    #[arg(long, value_name = "NAME: VALUE", conflicts_with = "command", value_parser = header)]
    pub(crate) header: Vec<(String, String)>,
    /// A bearer token for each request over HTTP
    #[arg(long, value_name = "TOKEN", env = BEARER, hide_env_values = true)]
    pub(crate) bearer: Option<String>,
    /// Speak this wire and no other: 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26 or sep-1686 (draft for short)
    #[arg(long, value_parser = wire)]
    pub(crate) wire: Option<Wire>,
    /// Do not let calls become tasks
    #[arg(long)]
    pub(crate) no_tasks: bool,
    /// Show the server's log messages from this level on, such as `info`
    #[arg(long, value_name = "LEVEL")]
    pub(crate) log: Option<LogLevel>,
    /// Print the result as JSON, exactly as it came, on one line
    #[arg(long)]
    pub(crate) json: bool,
    /// How standard error tells what happens
    #[arg(long, value_name = "STYLE", default_value = "auto")]
    pub(crate) status: StatusStyle,
}

impl ServerOptions {
    /// The token to send. A variable that is set to nothing is none.
    pub(crate) fn token(&self) -> Option<&str> {
        self.bearer.as_deref().filter(|token| !token.is_empty())
    }
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Place {
    /// The server's address, http:// or https://
    #[arg(long)]
    pub(crate) url: Option<String>,
    /// The command that starts a server on standard input and output
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

/// What becomes of the server's questions.
#[derive(Debug, Args)]
#[command(next_help_heading = "Questions")]
pub(crate) struct QuestionOptions {
    /// Answer a field of a form: `name=value`, repeated for a list, or `name:=JSON`. A form with a field named here is
    /// filled in from these and its defaults, and not shown
    #[arg(long = "answer", value_name = "NAME=VALUE")]
    pub(crate) answers: Vec<String>,
    /// What to do with other questions; `ask` unless standard input or error is no terminal, then `decline`
    #[arg(long, value_name = "WHAT")]
    pub(crate) questions: Option<Questions>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Questions {
    /// Ask in the terminal
    Ask,
    /// Accept forms with their defaults; decline what has none, and pages to visit
    Accept,
    /// Say no
    Decline,
    /// Close them without a choice
    Dismiss,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatusStyle {
    /// A progress bar in a terminal, lines elsewhere
    Auto,
    /// A line for each change, at most one a second
    Lines,
    /// A JSON object a line
    Json,
    /// Nothing but errors
    None,
}

/// `sep-1686` has a name that is easier to remember.
fn wire(name: &str) -> Result<Wire, String> {
    match name {
        "draft" => Ok(Wire::Draft),
        name => name.parse(),
    }
}

fn header(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once(':').ok_or("it must be `NAME: VALUE`")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn read(words: &[&str]) -> Result<Options, clap::Error> {
        Options::try_parse_from([&["mcp-tasks"], words].concat())
    }

    #[test]
    fn the_definitions_are_consistent() {
        Options::command().debug_assert();
    }

    #[test]
    fn what_follows_the_dashes_is_the_command() {
        let read = read(&["call", "add", "a=1", "b=2", "--", "server", "--json"]).unwrap();
        let Command::Call {
            arguments, server, ..
        } = read.command
        else {
            panic!("a call");
        };
        assert_eq!(arguments, ["a=1", "b=2"]);
        assert_eq!(server.place.command, ["server", "--json"]);
        assert!(!server.json);
    }

    #[test]
    fn there_is_one_server() {
        assert!(read(&["tools"]).is_err());
        assert!(read(&["tools", "--url", "http://a", "--", "server"]).is_err());
        assert!(read(&["tools", "--header", "a: b", "--", "server"]).is_err());
    }

    #[test]
    fn an_empty_token_is_none() {
        for (given, token) in [("", None), ("s3cret", Some("s3cret"))] {
            let read = read(&["tools", "--bearer", given, "--url", "http://a"]).unwrap();
            let Command::Tools { server, .. } = read.command else {
                panic!("tools");
            };
            assert_eq!(server.token(), token);
        }
    }

    #[test]
    fn wires_have_their_names() {
        assert_eq!(wire("2025-11-25"), Ok(Wire::V2025_11_25));
        assert_eq!(wire("draft"), Ok(Wire::Draft));
        assert!(wire("2024").unwrap_err().contains("sep-1686"));
    }

    #[test]
    fn a_header_is_a_name_and_a_value() {
        assert_eq!(header("X-A: b:c"), Ok(("X-A".into(), "b:c".into())));
        assert!(header("nothing").is_err());
    }
}
