//! The tools of a server at one moment, and the lists that tell of them.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::core::BuiltTool;
use crate::model::tool::ToolDef;
use crate::wire::{Revision, legacy, modern};

/// A set of tools that never changes; another set is another catalog.
pub(super) struct Catalog {
    /// In the order in which they are listed.
    tools: Vec<Arc<BuiltTool>>,
    by_name: HashMap<Arc<str>, Arc<BuiltTool>>,
    /// The `tools` array of each revision.
    lists: [List; 4],
}

impl Catalog {
    /// `tasks` is whether the server offers tasks.
    pub(super) fn new(tools: Vec<Arc<BuiltTool>>, tasks: bool) -> Self {
        let lists = Revision::ALL
            .map(|revision| List::of(tools.iter().map(|tool| render(&tool.def, revision, tasks))));
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

    pub(super) fn list(&self, revision: Revision) -> &str {
        &self.lists[revision as usize].text
    }

    /// The `tools` array of those that are `shown`.
    pub(super) fn list_of(&self, revision: Revision, shown: impl Fn(&str) -> bool) -> String {
        let list = &self.lists[revision as usize];
        let places = self.tools.iter().zip(&list.places);
        let shown = places.filter(|(tool, _)| shown(&tool.name));
        List::of(shown.map(|(_, place)| &list.text[place.clone()])).text
    }
}

/// A JSON array, and where its members stand in it.
struct List {
    text: String,
    places: Vec<Range<usize>>,
}

impl List {
    fn of(members: impl Iterator<Item = impl AsRef<str>>) -> Self {
        let mut text = String::from("[");
        let mut places = Vec::new();
        for member in members {
            if !places.is_empty() {
                text.push(',');
            }
            let start = text.len();
            text.push_str(member.as_ref());
            places.push(start..text.len());
        }
        text.push(']');
        Self { text, places }
    }
}

fn render(tool: &ToolDef, revision: Revision, tasks: bool) -> String {
    match revision {
        Revision::V2026_07_28 => modern::tool(tool),
        older => legacy::tool(tool, older, tasks),
    }
}
