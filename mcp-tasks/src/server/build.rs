//! From what a builder collected to a server that can run, with every check that needs no client.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::around::Around;
use super::caller::Visible;
use super::core::{BuiltTool, Core};
use super::live::{LIVE, LiveTable, LiveTools, named_twice};
use super::methods::Methods;
use super::task_tools::TaskTools;
use super::{Error, Limits, Policy, capabilities};
use crate::context::typemap::TypeMap;
use crate::task::TaskStore;
use crate::tool::extract::Requirements;
use crate::tool::promises::Promises;
use crate::tool::runtime::RuntimeTool;
use crate::tool::spec::PolicySpec;
use crate::tool::{ToolEntry, Tools, describe};

type Change = Arc<dyn Fn(&mut Policy) + Send + Sync>;

/// Adds tools, and what is wrong with them.
type BuildRuntime = fn(&Setup, &mut Vec<BuiltTool>, &mut Vec<String>);

/// What a builder has collected.
#[derive(Clone)]
pub(super) struct Setup {
    pub(super) name: String,
    pub(super) title: Option<String>,
    pub(super) version: Option<String>,
    pub(super) instructions: Option<String>,
    pub(super) limits: Limits,
    pub(super) states: TypeMap,
    pub(super) policies: Vec<(String, Change)>,
    pub(super) methods: Methods,
    pub(super) capabilities: Map<String, Value>,
    pub(super) store: Option<Arc<dyn TaskStore>>,
    /// There may be tasks.
    pub(super) tasks: Option<&'static TaskTools>,
    #[cfg(feature = "http")]
    pub(super) allowed: super::Allowed,
    /// Tools that come and go, and how they become a server's.
    pub(super) live: Option<(LiveTools, &'static LiveTable)>,
    pub(super) around: Option<Around>,
    pub(super) visible: Option<Visible>,
    pub(super) mask_errors: bool,
    #[cfg(feature = "http")]
    pub(super) auth: super::Auth,
    entries: Vec<ToolEntry>,
    /// Tools known only at run time, by now.
    runtime: Vec<Arc<RuntimeTool>>,
    /// How they are built; a program whose server has none does not hold that.
    build_runtime: Option<BuildRuntime>,
}

impl Setup {
    pub(super) fn new(name: String) -> Self {
        Self {
            name,
            title: None,
            version: None,
            instructions: None,
            limits: Limits::default(),
            states: TypeMap::default(),
            policies: Vec::new(),
            methods: Methods::default(),
            capabilities: Map::new(),
            store: None,
            tasks: None,
            #[cfg(feature = "http")]
            allowed: super::Allowed::default(),
            live: None,
            around: None,
            visible: None,
            mask_errors: false,
            #[cfg(feature = "http")]
            auth: super::Auth::default(),
            entries: Vec::new(),
            runtime: Vec::new(),
            build_runtime: None,
        }
    }

    pub(super) fn tools(&mut self, tools: Tools) {
        self.version.get_or_insert_with(|| tools.version.to_owned());
        let mut needed = tools.entries.iter().filter_map(|entry| entry.needs);
        if let Some(tasks) = needed.find_map(|needs| needs.downcast_ref()) {
            self.tasks = Some(tasks);
        }
        self.entries.extend(tools.entries);
    }

    pub(super) fn add_tool(&mut self, tool: RuntimeTool, tasks: &'static TaskTools) {
        self.runtime.push(Arc::new(tool));
        self.build_runtime = Some(Self::all_runtime);
        self.tasks = Some(tasks);
    }

    pub(super) fn live_tools(&mut self, tools: LiveTools, tasks: &'static TaskTools) {
        self.live = Some((tools, &LIVE));
        self.tasks = Some(tasks);
    }

    /// The store may hold tasks already, of tools that are no longer there.
    #[cfg(any(feature = "testing", feature = "unstable-store"))]
    pub(super) fn keep_tasks_in(&mut self, store: Arc<dyn TaskStore>, tasks: &'static TaskTools) {
        self.store = Some(store);
        self.tasks = Some(tasks);
    }

    pub(super) fn build(&self) -> Result<Arc<Core>, Error> {
        let mut faults = Vec::new();
        let mut tools: Vec<BuiltTool> = Vec::with_capacity(self.entries.len());
        let mut seen: Vec<&ToolEntry> = Vec::with_capacity(self.entries.len());
        for entry in &self.entries {
            let spec = entry.spec;
            if let Some(first) = seen.iter().find(|other| other.spec.name == spec.name) {
                faults.push(format!(
                    "two tools are named `{}`: at {}:{} and {}:{}; give one of them another `name`",
                    spec.name, first.spec.file, first.spec.line, spec.file, spec.line
                ));
                continue;
            }
            seen.push(entry);
            match describe::describe(spec, entry.describe) {
                Ok((def, requirements)) => {
                    self.missing_states(spec.name, &requirements, &mut faults);
                    let promises = match Promises::of_function(entry, &def, &requirements) {
                        Ok(promises) => promises,
                        Err(fault) => {
                            faults.push(fault);
                            continue;
                        }
                    };
                    let policy = self.policy(spec.name, &spec.policy);
                    let tool = BuiltTool::new(def, *entry, policy, &requirements);
                    tools.push(tool.with_promises(promises));
                }
                Err(fault) => faults.push(fault),
            }
        }
        if let Some(build) = self.build_runtime {
            build(self, &mut tools, &mut faults);
        }
        for (name, _) in &self.policies {
            let runtime = self.runtime.iter().any(|tool| tool.name == *name);
            if !runtime && !seen.iter().any(|entry| entry.spec.name == name) {
                faults.push(format!(
                    "`configure` names the tool `{name}`, which this server does not have"
                ));
            }
        }
        self.methods.check(&self.capabilities, &mut faults);
        capabilities::check(&self.capabilities, &mut faults);
        if !faults.is_empty() {
            return Err(Error::setup(faults));
        }
        let core = Core::new(self, tools);
        match &self.live {
            Some((live, table)) => (table.attach)(live, core),
            None => Ok(core),
        }
    }

    /// Builds the tools known only at run time.
    fn all_runtime(&self, tools: &mut Vec<BuiltTool>, faults: &mut Vec<String>) {
        for tool in &self.runtime {
            if tools.iter().any(|other| *other.name == *tool.name) {
                faults.push(named_twice(&tool.name));
                continue;
            }
            let policy = self.policy(&tool.name, &tool.policy);
            match BuiltTool::runtime(tool, policy) {
                Ok(tool) => tools.push(tool),
                Err(fault) => faults.push(fault),
            }
        }
    }

    fn policy(&self, tool: &str, spec: &PolicySpec) -> Policy {
        let mut policy = Policy::new(spec, &self.limits);
        for (name, change) in &self.policies {
            if name == tool {
                change(&mut policy);
            }
        }
        policy.settled(&self.limits)
    }

    fn missing_states(&self, tool: &str, requirements: &Requirements, faults: &mut Vec<String>) {
        for (id, name) in &requirements.states {
            if !self.states.contains(*id) {
                faults.push(format!(
                    "tool `{tool}` needs `State<{name}>`: give the server `.state(..)` of it"
                ));
            }
        }
    }
}
