//! The tools of a server at one moment, and the lists that tell of them.

use std::collections::HashMap;
use std::sync::Arc;

use super::core::BuiltTool;
use crate::model::tool::ToolDef;
use crate::wire::{Revision, legacy, modern};

/// A set of tools that never changes; another set is another catalog.
pub(super) struct Catalog {
    /// In the order in which they are listed.
    tools: Vec<Arc<BuiltTool>>,
    by_name: HashMap<Arc<str>, Arc<BuiltTool>>,
    /// The `tools` array of each revision, rendered once.
    lists: [String; 4],
}

impl Catalog {
    /// `tasks` is whether the server offers tasks.
    pub(super) fn new(tools: Vec<Arc<BuiltTool>>, tasks: bool) -> Self {
        let defs: Vec<&ToolDef> = tools.iter().map(|tool| &tool.def).collect();
        let lists = Revision::ALL.map(|revision| render(&defs, revision, tasks));
        Self {
            by_name: tools
                .iter()
                .map(|tool| (Arc::clone(&tool.name), Arc::clone(tool)))
                .collect(),
            tools,
            lists,
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Arc<BuiltTool>> {
        self.by_name.get(name)
    }

    pub(super) fn tools(&self) -> &[Arc<BuiltTool>] {
        &self.tools
    }

    /// The `tools` array of those that are `shown`.
    pub(super) fn list_of(
        &self,
        revision: Revision,
        tasks: bool,
        shown: impl Fn(&str) -> bool,
    ) -> String {
        let defs: Vec<&ToolDef> = self
            .tools
            .iter()
            .filter(|tool| shown(&tool.name))
            .map(|tool| &tool.def)
            .collect();
        render(&defs, revision, tasks)
    }

    pub(super) fn list(&self, revision: Revision) -> &str {
        &self.lists[revision as usize]
    }
}

fn render(tools: &[&ToolDef], revision: Revision, tasks: bool) -> String {
    match revision {
        Revision::V2026_07_28 => modern::tools(tools),
        older => legacy::tools(tools, older, tasks),
    }
}
