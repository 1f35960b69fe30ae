//! Tools that are known only at run time: a definition and a closure.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

use super::call::{Call, Faults};
use super::output::{IntoOutput, Output};
use super::spec::PolicySpec;
use super::{icons, schema};
use crate::context::Context;
use crate::model::BoxFuture;
use crate::model::capability::Capability;
use crate::model::tool::{Annotations, TaskSupport, ToolDef};

type Handler = dyn Fn(Context, Value) -> BoxFuture<'static, Output> + Send + Sync;

/// A tool known only at run time, from a configuration file or a database say: a definition and a closure.
///
/// Everything else is as with [`mcp_tool`](macro@crate::mcp_tool): the closure gets the call's [`Context`] and may
/// run as a task, ask, report progress and be cancelled. Its arguments are the object as it came. The feature
/// `validate` checks them against the schema before the closure gets them; without it, that is the closure's part.
///
/// Give it to [`Server::add_tool`](crate::Server::add_tool) or, while the server runs, to
/// [`LiveTools::add`](crate::LiveTools::add).
///
/// ```
/// use mcp_tasks::{Context, RuntimeTool, Server};
/// use serde_json::{Value, json};
///
/// let table = "orders";
/// let tool = RuntimeTool::new(
///     format!("count_{table}"),
///     format!("Counts the rows of {table}."),
///     move |_: Context, arguments: Value| async move { format!("{table} where {arguments}: 7") },
/// )
/// .input_schema(json!({ "type": "object", "properties": { "status": { "type": "string" } } }))
/// .read_only(true);
/// assert!(Server::new("db").add_tool(tool).check().is_ok());
/// ```
#[derive(Clone)]
#[must_use]
pub struct RuntimeTool {
    pub(crate) name: String,
    title: Option<String>,
    description: String,
    input_schema: Value,
    output_schema: Option<Value>,
    icons: Option<Value>,
    meta: Map<String, Value>,
    annotations: Annotations,
    pub(crate) needs: Vec<Capability>,
    pub(crate) policy: PolicySpec,
    handler: Arc<Handler>,
}

impl RuntimeTool {
    /// A tool that takes any object of arguments, until [`input_schema`](Self::input_schema) says which.
    pub fn new<H, F>(name: impl Into<String>, description: impl Into<String>, handler: H) -> Self
    where
        H: Fn(Context, Value) -> F + Send + Sync + 'static,
        F: Future<Output: IntoOutput> + Send + 'static,
    {
        let handler = Arc::new(handler);
        Self {
            name: name.into(),
            title: None,
            description: description.into(),
            input_schema: json!({ "type": "object" }),
            output_schema: None,
            icons: None,
            meta: Map::new(),
            annotations: Annotations::default(),
            needs: Vec::new(),
            policy: PolicySpec::UNSET,
            handler: Arc::new(move |context, arguments| {
                let handler = Arc::clone(&handler);
                // The closure's own first lines run inside the future, where a panic is caught.
                Box::pin(async move { handler(context, arguments).await.into_output() })
            }),
        }
    }

    /// The tool's name, as clients call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A name for people.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// The schema of the arguments, sent as it is; its root must have `"type": "object"`. A property with
    /// `x-mcp-header` is one that HTTP clients repeat in that header, which is checked.
    pub fn input_schema(mut self, schema: Value) -> Self {
        self.input_schema = schema;
        self
    }

    /// The schema of the structured content, sent as it is; its root must have `"type": "object"`.
    pub fn output_schema(mut self, schema: Value) -> Self {
        self.output_schema = Some(schema);
        self
    }

    /// Icons as the wire has them: an array of objects with a `src`, which starts with `https://` or `data:`.
    pub fn icons(mut self, icons: Value) -> Self {
        self.icons = Some(icons);
        self
    }

    /// Adds an entry to the definition's `_meta`.
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.insert(key.into(), value.into());
        self
    }

    /// Whether it leaves its environment as it is.
    pub fn read_only(mut self, yes: bool) -> Self {
        self.annotations.read_only = Some(yes);
        self
    }

    /// Whether it may destroy what was there.
    pub fn destructive(mut self, yes: bool) -> Self {
        self.annotations.destructive = Some(yes);
        self
    }

    /// Whether running it twice changes nothing more.
    pub fn idempotent(mut self, yes: bool) -> Self {
        self.annotations.idempotent = Some(yes);
        self
    }

    /// Whether it touches things outside a closed domain.
    pub fn open_world(mut self, yes: bool) -> Self {
        self.annotations.open_world = Some(yes);
        self
    }

    /// Refuses clients that cannot do this, before anything runs.
    pub fn needs(mut self, capability: Capability) -> Self {
        self.needs.push(capability);
        self
    }

    /// It may run as a task.
    pub fn task(mut self) -> Self {
        self.policy.task = TaskSupport::Optional;
        self
    }

    /// It runs only as a task, for clients that can follow one.
    pub fn task_required(mut self) -> Self {
        self.policy.task = TaskSupport::Required;
        self
    }

    /// A call that is done within this answers inline, though it could be a task.
    pub fn after(mut self, after: Duration) -> Self {
        self.policy.after = Some(after);
        self
    }

    /// A call stays a request until [`Context::begin_task`].
    pub fn begin_manual(mut self) -> Self {
        self.policy.begin_manual = true;
        self
    }

    /// How long a task's result is kept after its end.
    pub fn keep(mut self, keep: Duration) -> Self {
        self.policy.keep = Some(keep);
        self
    }

    /// How often clients are asked to poll a task.
    pub fn poll_interval(mut self, interval: Duration) -> Self {
        self.policy.poll_interval = Some(interval);
        self
    }

    /// How long a run may take, waiting for answers not counted.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.policy.timeout = Some(timeout);
        self
    }

    /// Runs at once; more wait their turn.
    pub fn max_running(mut self, runs: usize) -> Self {
        self.policy.max_running = Some(runs);
        self
    }

    /// What clients are told of it, or why none would take it.
    pub(crate) fn define(&self) -> Result<ToolDef, String> {
        self.check_name()?;
        let checked = |key: &str, schema: &Value| -> Result<Box<RawValue>, String> {
            if schema.get("type").is_none_or(|kind| kind != "object") {
                return Err(self.fault(&format!(
                    "its `{key}` must have `\"type\": \"object\"` at its root"
                )));
            }
            to_raw_value(schema).map_err(|error| self.fault(&error.to_string()))
        };
        let mirrored = self.input_schema.as_object().map(schema::mirrored);
        let mirrored = mirrored
            .transpose()
            .map_err(|faults| self.fault(&faults.join("; ")))?;
        let icons = self.icons.as_ref().map(icons::checked_icons);
        let icons = icons.transpose().map_err(|why| self.fault(&why))?;
        let meta = (!self.meta.is_empty()).then(|| to_raw_value(&self.meta));
        let meta = meta
            .transpose()
            .map_err(|why| self.fault(&why.to_string()))?;
        Ok(ToolDef {
            name: self.name.clone(),
            title: self.title.clone(),
            description: self.description.clone(),
            input_schema: checked("input_schema", &self.input_schema)?,
            output_schema: self
                .output_schema
                .as_ref()
                .map(|own| checked("output_schema", own))
                .transpose()?,
            annotations: self.annotations,
            task_support: self.policy.task,
            mirrored: mirrored.unwrap_or_default(),
            icons,
            meta,
        })
    }

    /// SEP-986: 1 to 128 characters of `A-Z a-z 0-9 _ - .`.
    fn check_name(&self) -> Result<(), String> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
        if (1..=128).contains(&self.name.len()) && self.name.bytes().all(fits) {
            Ok(())
        } else {
            Err(self.fault("a tool's name has 1 to 128 characters of `A-Z a-z 0-9 _ - .`"))
        }
    }

    fn fault(&self, why: &str) -> String {
        format!("tool `{}`: {why}", self.name)
    }

    pub(crate) fn start(&self, call: &Call<'_>) -> Result<BoxFuture<'static, Output>, Faults> {
        let arguments = call.whole()?;
        Ok((self.handler)(call.context().clone(), arguments))
    }
}

impl fmt::Debug for RuntimeTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RuntimeTool")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
