//! `tools/call`: where a tool's declaration meets what this client can follow.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::value::RawValue;

use super::around::ToolCall;
use super::caller::Caller;
use super::core::BuiltTool;
use super::exchange::Headers;
use super::modern::declares_tasks;
use super::park;
use super::peer::Activity;
use super::reply::{Refused, Reply};
use super::run::{self, Era, Line, Plan, Run, TaskKind};
use crate::context::extensions::Extensions;
use crate::context::{CallId, Context, Inner};
use crate::model::capability::{Capabilities, Capability};
use crate::model::error::{AskError, RpcError};
use crate::model::task::Outcome;
use crate::model::tool::TaskSupport;
use crate::tool::guard::{Panicked, discard, guarded};
use crate::tool::{Call, Faults};
use crate::wire::Revision;
use crate::wire::envelope::Params;
use crate::wire::legacy::Hello;
use crate::wire::meta::{Meta, ModernMeta, missing_capabilities};

/// One call, understood: everything but its arguments' types.
pub(super) struct Request<'a> {
    pub(super) tool: Arc<BuiltTool>,
    pub(super) arguments: Option<&'a RawValue>,
    pub(super) capabilities: Capabilities,
    pub(super) line: Line,
    pub(super) plan: Plan,
    /// Answers that came with the call.
    pub(super) answers: Vec<(Cow<'a, str>, &'a RawValue)>,
    meta: Option<Arc<RawValue>>,
    trace_parent: Option<String>,
}

/// A call of 2026-07-28: a new run, or the retry that answers a parked one.
pub(super) fn modern(reply: Reply, params: &Params<'_>, meta: ModernMeta, headers: &dyn Headers) {
    if let Err((reply, error)) = try_modern(reply, params, meta, headers) {
        reply.error(&error);
    }
}

fn try_modern(
    reply: Reply,
    params: &Params<'_>,
    meta: ModernMeta,
    headers: &dyn Headers,
) -> Result<(), Refused> {
    let peer = Arc::clone(reply.peer());
    let checked = || {
        let tool = named_tool(&reply, params, Revision::V2026_07_28, meta.capabilities)?;
        let arguments = params.arguments()?;
        needs(&tool, meta.capabilities).map_err(missing_capabilities)?;
        if tool.policy.task == TaskSupport::Required {
            declares_tasks(&meta)?;
        }
        headers.mirrored(&tool.def.mirrored, arguments)?;
        Ok((
            tool,
            arguments,
            params.request_state()?,
            params.input_responses()?,
        ))
    };
    let (tool, arguments, state, answers) = match checked() {
        Ok(checked) => checked,
        Err(error) => return Err((reply, Box::new(error))),
    };
    let plan = modern_plan(&tool, meta.capabilities);
    let request = Request {
        tool,
        arguments,
        capabilities: meta.capabilities,
        line: Line {
            peer,
            outlet: Arc::clone(reply.outlet()),
            era: Era::Modern {
                log: meta.log_level,
            },
            token: meta.progress_token,
            task: None,
        },
        plan,
        answers: answers.unwrap_or_default(),
        meta: meta.whole.or_else(|| own(params.meta)),
        trace_parent: meta.trace_parent,
    };
    match state {
        Some(handle) => park::take_up(reply, &handle, request),
        None => start(reply, request),
    }
}

fn modern_plan(tool: &BuiltTool, capabilities: Capabilities) -> Plan {
    if tool.policy.task == TaskSupport::Never || !capabilities.has(Capability::Tasks) {
        Plan::Inline
    } else if tool.policy.begin_manual {
        Plan::Manual
    } else if let Some(after) = tool.policy.after {
        Plan::After(after)
    } else {
        Plan::Task(TaskKind::Extension)
    }
}

/// A call within a legacy session.
pub(super) fn legacy(reply: Reply, params: &Params<'_>, meta: Meta<'_>, hello: &Hello) {
    let peer = Arc::clone(reply.peer());
    let checked = || {
        let tool = named_tool(&reply, params, hello.revision, hello.capabilities)?;
        let arguments = params.arguments()?;
        let plan = match &peer.core.tasks {
            Some(tasks) => (tasks.tools.plan)(&tool, params, &meta, &peer, hello.revision)?,
            None => None,
        };
        let plan = match plan {
            Some(plan) => plan,
            None => inline_plan(&tool, hello.revision)?,
        };
        Ok((tool, arguments, plan))
    };
    let (tool, arguments, plan) = match checked() {
        Ok(checked) => checked,
        Err(error) => return reply.error(&error),
    };
    let line = Line {
        peer,
        outlet: Arc::clone(reply.outlet()),
        era: Era::Legacy(hello.revision),
        token: meta.progress_token,
        task: None,
    };
    if let Err(missing) = needs(&tool, hello.capabilities) {
        let texts = missing.into_iter().map(AskError::Unsupported);
        let texts: Vec<String> = texts.map(|error| error.to_string()).collect();
        if let Err((reply, error)) = refuse_in_words(reply, &line, &plan, &texts.join("; ")) {
            reply.error(&error);
        }
        return;
    }
    let request = Request {
        tool,
        arguments,
        capabilities: hello.capabilities,
        line,
        plan,
        answers: Vec::new(),
        meta: own(params.meta),
        trace_parent: meta.trace_parent,
    };
    if let Err((reply, error)) = start(reply, request) {
        reply.error(&error);
    }
}

/// A call that asks for no task.
fn inline_plan(tool: &BuiltTool, revision: Revision) -> Result<Plan, RpcError> {
    if tool.policy.task == TaskSupport::Required && revision >= Revision::V2025_11_25 {
        return Err(RpcError::new(
            RpcError::METHOD_NOT_FOUND,
            format!(
                "tool `{}` runs only as a task: send `task` beside `name` and `arguments`, for example `\"task\":{{}}`",
                tool.name
            ),
        ));
    }
    Ok(Plan::Inline)
}

fn named_tool(
    reply: &Reply,
    params: &Params<'_>,
    revision: Revision,
    capabilities: Capabilities,
) -> Result<Arc<BuiltTool>, RpcError> {
    let name = params.tool_name()?;
    let caller = || Caller::new(reply, revision, capabilities);
    let tool = reply.peer().core.tool_for(&name, caller);
    tool.ok_or_else(|| {
        let shown: String = name.chars().take(128).collect();
        RpcError::invalid_params(format!("Unknown tool: {shown}"))
    })
}

fn own(raw: Option<&RawValue>) -> Option<Arc<RawValue>> {
    raw.map(|raw| raw.to_owned().into())
}

/// `Err` with all that is missing of what the tool says it cannot do without.
fn needs(tool: &BuiltTool, capabilities: Capabilities) -> Result<(), Vec<Capability>> {
    let needs = tool.needs.iter().copied();
    let missing: Vec<_> = needs.filter(|needed| !capabilities.has(*needed)).collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(missing)
    }
}

/// Decodes the arguments and sets the body going.
fn start(reply: Reply, request: Request<'_>) -> Result<(), Refused> {
    let Request {
        tool,
        arguments,
        capabilities,
        line,
        plan,
        answers,
        meta,
        trace_parent,
    } = request;
    let peer = Arc::clone(&line.peer);
    let answers = answers
        .into_iter()
        .map(|(key, raw)| (key.into_owned(), raw.to_owned()))
        .collect();
    let owner = match &plan {
        Plan::Task(TaskKind::Draft(..)) => Arc::new(peer.draft_owner()),
        _ => Arc::clone(&peer.owner),
    };
    let run = Run::new(&peer, owner, Arc::clone(&tool), capabilities, answers);
    let context = context(&run, meta, reply.extensions().clone());
    // Defaults, injected values and a type's own decoding are the author's code, like the body.
    let started = guarded(|| Call::new(&context, arguments).and_then(|call| tool.start(&call)));
    let body = match started {
        Ok(Ok(body)) => match &peer.core.around {
            None => body,
            Some(around) => {
                let call = ToolCall {
                    context,
                    caller: Caller::new(&reply, line.era.revision(), capabilities),
                    arguments: arguments.map(|raw| raw.to_owned().into()),
                };
                around(call, body)
            }
        },
        Ok(Err(faults)) => return refuse(reply, faults, &line, &plan, &tool),
        Err(panicked) => return refuse_for_panic(reply, &line, &plan, &tool, panicked),
    };
    // What a store of the author's takes for a task, nobody knows; of a batch, whoever took it in is not done.
    let at_once = matches!(plan, Plan::Inline) && !reply.is_of_batch();
    let reply = peer.list(reply, Activity::Call(Arc::clone(&run)))?;
    run.attach(reply, line, plan, arguments);
    peer.end_if_closed(&run);
    let at_once = peer.at_once.get().filter(|_| at_once);
    run::begin(
        run,
        &peer.runtime,
        body,
        at_once.map(|at_once| &**at_once),
        trace_parent.as_deref(),
    );
    Ok(())
}

fn context(run: &Arc<Run>, meta: Option<Arc<RawValue>>, extensions: Extensions) -> Context {
    Context::new(Inner {
        call_id: CallId::next(),
        meta,
        extensions,
        port: Arc::clone(run) as _,
    })
}

/// No line of the tool has run. The model reads what was wrong and tries again; only a 2025-11-25 call with
/// `task`, to which nothing but a task or an error is an answer, gets an error.
fn refuse(
    reply: Reply,
    mut faults: Faults,
    line: &Line,
    plan: &Plan,
    tool: &BuiltTool,
) -> Result<(), Refused> {
    let refusal = faults.refusal();
    let text = match refusal {
        None => {
            let text = faults.text(&tool.name);
            discard(faults);
            text
        }
        Some(refusal) => match run::in_words(refusal, line.era, &line.peer.core, &tool.name) {
            Ok(text) => text,
            Err(error) => {
                run::tell(reply, line, &Outcome::Error(Arc::new(error)));
                return Ok(());
            }
        },
    };
    refuse_in_words(reply, line, plan, &text)
}

fn refuse_in_words(reply: Reply, line: &Line, plan: &Plan, text: &str) -> Result<(), Refused> {
    if is_core_task(plan) {
        return Err((reply, Box::new(RpcError::invalid_params(text.to_owned()))));
    }
    let frame = run::error_frame(line, reply.id(), text);
    reply.send(frame);
    Ok(())
}

fn refuse_for_panic(
    reply: Reply,
    line: &Line,
    plan: &Plan,
    tool: &BuiltTool,
    Panicked(words): Panicked,
) -> Result<(), Refused> {
    tracing::error!(tool = %tool.name, panic = words, "the tool panicked before its body");
    if is_core_task(plan) {
        return Err((reply, Box::new(RpcError::internal(run::UNEXPECTED))));
    }
    refuse_in_words(reply, line, plan, run::UNEXPECTED)
}

fn is_core_task(plan: &Plan) -> bool {
    matches!(plan, Plan::Task(TaskKind::Core(_)))
}
