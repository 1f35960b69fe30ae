//! From what a builder collected to a server that can run, with every check that needs no client.

use std::collections::HashMap;
use std::sync::Arc;

use super::core::{BuiltTool, Core};
use super::{Error, Limits, Policy};
use crate::context::typemap::TypeMap;
use crate::task::TaskStore;
use crate::tool::extract::Requirements;
use crate::tool::{ToolEntry, Tools, describe};

type Change = Arc<dyn Fn(&mut Policy) + Send + Sync>;

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
    pub(super) store: Option<Arc<dyn TaskStore>>,
    entries: Vec<ToolEntry>,
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
            store: None,
            entries: Vec::new(),
        }
    }

    pub(super) fn tools(&mut self, tools: Tools) {
        self.version.get_or_insert_with(|| tools.version.to_owned());
        self.entries.extend(tools.entries);
    }

    pub(super) fn build(&self) -> Result<Arc<Core>, Error> {
        let mut faults = Vec::new();
        let mut tools: Vec<BuiltTool> = Vec::with_capacity(self.entries.len());
        let mut by_name: HashMap<&str, &ToolEntry> = HashMap::new();
        for entry in &self.entries {
            let spec = entry.spec;
            if let Some(first) = by_name.insert(spec.name, entry) {
                faults.push(format!(
                    "two tools are named `{}`: at {}:{} and {}:{}; give one of them another `name`",
                    spec.name, first.spec.file, first.spec.line, spec.file, spec.line
                ));
                continue;
            }
            match describe::describe(spec, entry.describe) {
                Ok((def, requirements)) => {
                    self.missing_states(spec.name, &requirements, &mut faults);
                    if let Some(warning) = describe::unchecked(spec, &def) {
                        tracing::warn!("{warning}");
                    }
                    let policy = self.policy(entry);
                    tools.push(BuiltTool::new(def, *entry, policy, &requirements));
                }
                Err(fault) => faults.push(fault),
            }
        }
        for (name, _) in &self.policies {
            if !by_name.contains_key(name.as_str()) {
                faults.push(format!(
                    "`configure` names the tool `{name}`, which this server does not have"
                ));
            }
        }
        if faults.is_empty() {
            Ok(Core::new(self, tools))
        } else {
            Err(Error::setup(faults))
        }
    }

    fn policy(&self, entry: &ToolEntry) -> Policy {
        let mut policy = Policy::new(&entry.spec.policy, &self.limits);
        for (name, change) in &self.policies {
            if name == entry.spec.name {
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
