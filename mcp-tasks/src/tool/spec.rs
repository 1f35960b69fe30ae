//! What the attribute and the signature say, as constants.

use std::time::Duration;

use super::describe::{SHAPING, Shaping};
use crate::model::tool::{Annotations, TaskSupport};

/// Everything `#[mcp_tool]` knows of a function at compile time.
#[derive(Debug)]
pub struct ToolSpec {
    pub(crate) name: &'static str,
    pub(crate) title: Option<&'static str>,
    pub(crate) description: &'static str,
    pub(crate) params: &'static [ParamSpec],
    /// The address of one icon, or all of them as a JSON array.
    pub(crate) icons: Option<&'static str>,
    /// `_meta` as JSON text.
    pub(crate) meta: Option<&'static str>,
    pub(crate) annotations: Annotations,
    pub(crate) input_schema: Option<&'static str>,
    /// What that schema needs.
    pub(crate) shaping: Option<&'static Shaping>,
    pub(crate) output_schema: Option<&'static str>,
    pub(crate) allow_unknown: bool,
    pub(crate) needs_elicitation: bool,
    pub(crate) needs_sampling: bool,
    pub(crate) policy: PolicySpec,
    pub(crate) file: &'static str,
    pub(crate) line: u32,
}

/// How runs of a tool are bounded, as far as the attribute says; `None` leaves the server's limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PolicySpec {
    pub(crate) task: TaskSupport,
    pub(crate) keep: Option<Duration>,
    pub(crate) poll_interval: Option<Duration>,
    pub(crate) after: Option<Duration>,
    pub(crate) begin_manual: bool,
    pub(crate) timeout: Option<Duration>,
    pub(crate) max_running: Option<usize>,
    pub(crate) cancel_grace: Option<Duration>,
    pub(crate) blocking: bool,
}

impl PolicySpec {
    /// Nothing said: no task, and the server's limits.
    pub(crate) const UNSET: Self = Self {
        task: TaskSupport::Never,
        keep: None,
        poll_interval: None,
        after: None,
        begin_manual: false,
        timeout: None,
        max_running: None,
        cancel_grace: None,
        blocking: false,
    };
}

#[doc(hidden)]
impl ToolSpec {
    pub const fn new(
        name: &'static str,
        description: &'static str,
        params: &'static [ParamSpec],
        file: &'static str,
        line: u32,
    ) -> Self {
        Self {
            name,
            title: None,
            description,
            params,
            icons: None,
            meta: None,
            annotations: Annotations {
                read_only: None,
                destructive: None,
                idempotent: None,
                open_world: None,
            },
            input_schema: None,
            shaping: None,
            output_schema: None,
            allow_unknown: false,
            needs_elicitation: false,
            needs_sampling: false,
            policy: PolicySpec::UNSET,
            file,
            line,
        }
    }
    /// The tool's name, for the uniqueness check of `tools![]`.
    pub const fn name(&self) -> &'static str {
        self.name
    }
    pub const fn params(&self) -> &'static [ParamSpec] {
        self.params
    }
    pub const fn title(mut self, title: &'static str) -> Self {
        self.title = Some(title);
        self
    }
    pub const fn icons(mut self, icons: &'static str) -> Self {
        self.icons = Some(icons);
        self
    }
    pub const fn meta(mut self, meta: &'static str) -> Self {
        self.meta = Some(meta);
        self
    }
    pub const fn read_only(mut self, yes: bool) -> Self {
        self.annotations.read_only = Some(yes);
        self
    }
    pub const fn destructive(mut self, yes: bool) -> Self {
        self.annotations.destructive = Some(yes);
        self
    }
    pub const fn idempotent(mut self, yes: bool) -> Self {
        self.annotations.idempotent = Some(yes);
        self
    }
    pub const fn open_world(mut self, yes: bool) -> Self {
        self.annotations.open_world = Some(yes);
        self
    }
    pub const fn input_schema(mut self, schema: &'static str) -> Self {
        self.input_schema = Some(schema);
        self.shaping = Some(&SHAPING);
        self
    }
    pub const fn output_schema(mut self, schema: &'static str) -> Self {
        self.output_schema = Some(schema);
        self
    }
    pub const fn allow_unknown(mut self, yes: bool) -> Self {
        self.allow_unknown = yes;
        self
    }
    pub const fn needs_elicitation(mut self) -> Self {
        self.needs_elicitation = true;
        self
    }
    pub const fn needs_sampling(mut self) -> Self {
        self.needs_sampling = true;
        self
    }
    /// `task`
    pub const fn task(mut self) -> Self {
        self.policy.task = TaskSupport::Optional;
        self
    }
    /// `task(required)`
    pub const fn task_required(mut self) -> Self {
        self.policy.task = TaskSupport::Required;
        self
    }
    /// `task(begin = "manual")`
    pub const fn begin_manual(mut self) -> Self {
        self.policy.begin_manual = true;
        self
    }
    pub const fn keep(mut self, keep: Duration) -> Self {
        self.policy.keep = Some(keep);
        self
    }
    pub const fn poll_interval(mut self, interval: Duration) -> Self {
        self.policy.poll_interval = Some(interval);
        self
    }
    pub const fn after(mut self, after: Duration) -> Self {
        self.policy.after = Some(after);
        self
    }
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.policy.timeout = Some(timeout);
        self
    }
    pub const fn max_running(mut self, runs: usize) -> Self {
        self.policy.max_running = Some(runs);
        self
    }
    pub const fn cancel_grace(mut self, grace: Duration) -> Self {
        self.policy.cancel_grace = Some(grace);
        self
    }
    pub const fn blocking(mut self) -> Self {
        self.policy.blocking = true;
        self
    }
}

type CheckBounds = fn(Bounds, &str) -> Result<(), String>;

/// One parameter of a tool function.
#[derive(Debug)]
pub struct ParamSpec {
    /// The JSON property's name.
    pub(crate) name: &'static str,
    pub(crate) description: Option<&'static str>,
    /// `#[arg(default)]` or `#[arg(default = ..)]`: the argument may be missing.
    pub(crate) has_default: bool,
    /// The default as JSON text, where the macro could tell it (a literal).
    pub(crate) default_json: Option<&'static str>,
    /// An example as JSON text.
    pub(crate) example_json: Option<&'static str>,
    /// The header that HTTP clients repeat the argument in, behind `Mcp-Param-`.
    pub(crate) header: Option<&'static str>,
    pub(crate) bounds: Bounds,
    /// What holds those bounds, which no program needs that has none.
    check: Option<CheckBounds>,
}

/// `min`, `max` and the like of `#[arg]`, enforced by the decoder.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) min: Option<Number>,
    pub(crate) max: Option<Number>,
    pub(crate) min_len: Option<usize>,
    pub(crate) max_len: Option<usize>,
    pub(crate) min_items: Option<usize>,
    pub(crate) max_items: Option<usize>,
}

/// A bound as the attribute spells it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A whole number.
    Int(i128),
    /// Any other number.
    Float(f64),
}

#[doc(hidden)]
impl ParamSpec {
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            description: None,
            has_default: false,
            default_json: None,
            example_json: None,
            header: None,
            bounds: Bounds {
                min: None,
                max: None,
                min_len: None,
                max_len: None,
                min_items: None,
                max_items: None,
            },
            check: None,
        }
    }
    pub const fn description(mut self, text: &'static str) -> Self {
        self.description = Some(text);
        self
    }
    pub const fn has_default(mut self) -> Self {
        self.has_default = true;
        self
    }
    pub const fn default_json(mut self, json: &'static str) -> Self {
        self.default_json = Some(json);
        self
    }
    pub const fn example_json(mut self, json: &'static str) -> Self {
        self.example_json = Some(json);
        self
    }
    pub const fn header(mut self, name: &'static str) -> Self {
        self.header = Some(name);
        self
    }
    const fn bounded(mut self) -> Self {
        self.check = Some(Bounds::check);
        self
    }
    pub const fn min(mut self, bound: Number) -> Self {
        self.bounds.min = Some(bound);
        self.bounded()
    }
    pub const fn max(mut self, bound: Number) -> Self {
        self.bounds.max = Some(bound);
        self.bounded()
    }
    pub const fn min_len(mut self, chars: usize) -> Self {
        self.bounds.min_len = Some(chars);
        self.bounded()
    }
    pub const fn max_len(mut self, chars: usize) -> Self {
        self.bounds.max_len = Some(chars);
        self.bounded()
    }
    pub const fn min_items(mut self, items: usize) -> Self {
        self.bounds.min_items = Some(items);
        self.bounded()
    }
    pub const fn max_items(mut self, items: usize) -> Self {
        self.bounds.max_items = Some(items);
        self.bounded()
    }
}

impl ParamSpec {
    /// Whether the value in `json` is within the bounds; `Err` says which one it breaks.
    pub(super) fn check(&self, json: &str) -> Result<(), String> {
        match self.check {
            Some(check) => check(self.bounds, json),
            None => Ok(()),
        }
    }
}
