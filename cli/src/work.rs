//! What a command does with a server once that answers.

use std::sync::Arc;
use std::time::Duration;

use mcp_tasks::TaskId;
use mcp_tasks::client::{CallResult, Client, Reference, RemoteTool, Task};
use serde_json::{Value, json};

use crate::call::{Following, find};
use crate::exit::Failure;
use crate::options::{Command, QuestionOptions, ServerOptions, TaskCommand, TaskOptions};
use crate::screen::Screen;
use crate::{arguments, clean, detach, task, tools, wire};

/// A command, taken apart.
pub(crate) struct Job {
    pub(crate) work: Work,
    pub(crate) server: Arc<ServerOptions>,
    pub(crate) timeout: Option<Duration>,
    /// What becomes of questions, where there may be some.
    pub(crate) questions: Option<QuestionOptions>,
}

/// What is to be done.
pub(crate) enum Work {
    Tools(Option<String>),
    Call {
        tool: String,
        arguments: Vec<String>,
        unchecked: bool,
        keep: Option<Duration>,
        detach: bool,
    },
    Get(TaskId),
    List,
    Wait(TaskId),
    Result(TaskId),
    Cancel(TaskId),
    Delete(TaskId),
}

/// What came of it.
pub(crate) enum Outcome {
    /// A tool's result.
    Result(CallResult),
    /// A task that goes on.
    Left(Task),
    /// Anything else, as JSON and in words.
    Shown(Value, String),
}

impl Work {
    pub(crate) async fn perform(
        self,
        client: &Client,
        mut following: Following<'_>,
    ) -> Result<Outcome, Failure> {
        match self {
            Self::Call {
                tool,
                arguments,
                unchecked,
                keep,
                detach,
            } => {
                let found = following.stop.or(find(client, &tool)).await?;
                let arguments = typed(&found, &arguments, unchecked, following.screen)?;
                if detach {
                    detach::must_make_tasks(client, &found)?;
                }
                let mut call = client.begin_call_tool(&tool, arguments);
                if let Some(keep) = keep {
                    following.wish_to_keep(client, &found);
                    call = call.keep(keep);
                }
                if detach {
                    return following.detach(call, &tool).await.map(Outcome::Left);
                }
                following.follow(call, &tool).await.map(Outcome::Result)
            }
            Self::Wait(id) => {
                let call = client.resume(Reference::new(id.as_str(), client.wire()));
                following
                    .follow(call, id.as_str())
                    .await
                    .map(Outcome::Result)
            }
            other => {
                let asked = other.ask(client, following.screen, following.server);
                following.stop.or(asked).await
            }
        }
    }

    /// What is answered at once, and leaves nothing behind when it is given up.
    async fn ask(
        self,
        client: &Client,
        screen: &Screen,
        server: &ServerOptions,
    ) -> Result<Outcome, Failure> {
        let none = |of: &str| {
            let label = clean::line(client.server().label());
            screen.note(&format!("{label} has no {of}"));
        };
        let (json, words) = match self {
            Self::Tools(None) => {
                let tools = client.list_tools().await?;
                if tools.is_empty() {
                    none("tools");
                }
                let json: Vec<_> = tools.iter().map(RemoteTool::json).collect();
                (json!({ "tools": json }), tools::list(&tools))
            }
            Self::Tools(Some(name)) => {
                let tool = find(client, &name).await?;
                (tool.json().clone().into(), tools::describe(&tool))
            }
            Self::Get(id) => {
                let task = client.get_task(&id).await?;
                (task.json().clone().into(), task::describe(&task))
            }
            Self::List => {
                let tasks = task::all(client).await?;
                if tasks.is_empty() {
                    none(&format!(
                        "tasks for you{}",
                        wire::why_no_tasks(client.wire(), server)
                    ));
                }
                task::list(&tasks)
            }
            Self::Result(id) => {
                task::must_have_ended(client, &id).await?;
                return Ok(Outcome::Result(client.task_result(&id).await?));
            }
            Self::Cancel(id) => task::cancel(client, &id).await?,
            Self::Delete(id) => {
                client.delete_task(&id).await?;
                (json!({}), format!("{id}  deleted"))
            }
            Self::Call { .. } | Self::Wait(_) => unreachable!("`perform` follows these"),
        };
        Ok(Outcome::Shown(json, words))
    }
}

impl Following<'_> {
    /// Tells where the wish of `--keep` reaches nobody.
    fn wish_to_keep(&self, client: &Client, tool: &RemoteTool) {
        let why = if self.server.no_tasks {
            Some("with --no-tasks calls do not become tasks".to_owned())
        } else {
            wire::why_not_kept(client, tool)
        };
        if let Some(why) = why {
            self.screen.note(&format!("--keep has no effect: {why}"));
        }
    }
}

fn typed(
    tool: &RemoteTool,
    words: &[String],
    unchecked: bool,
    screen: &Screen,
) -> Result<Value, Failure> {
    let schema = tool.input_schema();
    if unchecked {
        return arguments::read_unchecked(words, schema).map_err(Failure::usage);
    }
    let name = clean::line(tool.name());
    let read = arguments::read(words, schema).map_err(|faults| {
        Failure::usage(format!("the arguments of `{name}` do not fit:\n{faults}"))
    })?;
    if let Some(why) = read.unusable {
        screen.note(&format!(
            "the schema of `{name}` cannot be used to check its arguments: {why}"
        ));
    }
    Ok(read.arguments)
}

impl From<Command> for Job {
    fn from(command: Command) -> Self {
        let about = |options: TaskOptions, work: fn(TaskId) -> Work| {
            Self::plain(work(TaskId::new(options.id)), options.server)
        };
        match command {
            Command::Tools { name, server } => Self::plain(Work::Tools(name), server),
            Command::Call {
                tool,
                arguments,
                unchecked,
                keep,
                detach,
                patience,
                questions,
                server,
            } => Self {
                work: Work::Call {
                    tool,
                    arguments,
                    unchecked,
                    keep,
                    detach,
                },
                server: Arc::new(server),
                timeout: patience.timeout,
                questions: Some(questions),
            },
            Command::Task(TaskCommand::Wait {
                patience,
                questions,
                task,
            }) => Self {
                work: Work::Wait(TaskId::new(task.id)),
                server: Arc::new(task.server),
                timeout: patience.timeout,
                questions: Some(questions),
            },
            Command::Task(TaskCommand::List { server }) => Self::plain(Work::List, server),
            Command::Task(TaskCommand::Get(options)) => about(options, Work::Get),
            Command::Task(TaskCommand::Result(options)) => about(options, Work::Result),
            Command::Task(TaskCommand::Cancel(options)) => about(options, Work::Cancel),
            Command::Task(TaskCommand::Delete(options)) => about(options, Work::Delete),
        }
    }
}

impl Job {
    /// Nothing if the command line asks for what can be.
    pub(crate) fn must_be_possible(&self) -> Result<(), Failure> {
        if self.leaves_task() {
            detach::must_have_a_way_back(&self.server)?;
        }
        Ok(())
    }

    /// Whether it makes a task and does not follow it.
    pub(crate) fn leaves_task(&self) -> bool {
        matches!(self.work, Work::Call { detach: true, .. })
    }

    fn plain(work: Work, server: ServerOptions) -> Self {
        Self {
            work,
            server: Arc::new(server),
            timeout: None,
            questions: None,
        }
    }
}
