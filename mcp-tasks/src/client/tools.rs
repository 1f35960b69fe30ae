//! The server's tools, listed once and kept until they change.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::json;

use super::core::{Ask, Core};
use super::error::ClientError;
use crate::model::remote::RemoteTool;
use crate::wire::client::tool;

/// Pages of a list before it is clear that it has no end.
const PAGES: usize = 1000;

type Tools = Arc<HashMap<String, RemoteTool>>;

/// What was listed, and the count of changes that had been told by then.
#[derive(Default)]
pub(super) struct ToolCache {
    listed: Mutex<Option<(u64, Tools)>>,
    /// Held while they are listed: many calls that begin at once need one list.
    listing: tokio::sync::Mutex<()>,
}

impl ToolCache {
    pub(super) fn forget(&self) {
        *self.lock() = None;
    }

    fn get(&self, changes: u64) -> Option<Tools> {
        self.lock()
            .as_ref()
            .filter(|(at, _)| *at == changes)
            .map(|(_, tools)| Arc::clone(tools))
    }

    fn put(&self, changes: u64, tools: &[RemoteTool]) {
        let tools = tools
            .iter()
            .map(|tool| (tool.name.clone(), tool.clone()))
            .collect();
        *self.lock() = Some((changes, Arc::new(tools)));
    }

    fn lock(&self) -> MutexGuard<'_, Option<(u64, Tools)>> {
        self.listed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Core {
    /// Every tool, in the server's order.
    pub(super) async fn list_tools(&self) -> Result<Vec<RemoteTool>, ClientError> {
        let changes = self.router.tools_changed();
        let mut tools = Vec::new();
        let mut cursor = None;
        let mut seen = HashSet::new();
        loop {
            let params = cursor
                .as_ref()
                .map_or(json!({}), |cursor| json!({ "cursor": cursor }));
            let page = self.ask_plainly(&Ask::new("tools/list", params)).await?;
            let (page, next) = tool::page(page).map_err(|why| self.broken(why))?;
            for listed in page {
                match self.read_tool(listed) {
                    Ok(tool) => tools.push(tool),
                    Err(why) => tracing::warn!("a tool of the server's is left out: {why}"),
                }
            }
            match next {
                Some(next) if !seen.insert(next.clone()) || seen.len() > PAGES => {
                    return Err(self.broken("its list of tools has no end"));
                }
                Some(next) => cursor = Some(next),
                None => break,
            }
        }
        self.tools.put(changes, &tools);
        Ok(tools)
    }

    fn read_tool(&self, listed: serde_json::Value) -> Result<RemoteTool, String> {
        let mut tool = tool::read(listed)?;
        if self.transport.is_http() && self.session().is_ok_and(|session| session.wire.is_modern())
        {
            let mirrored = tool::mirrored(tool.input_schema());
            tool.mirrored = mirrored.map_err(|why| format!("{}: {why}", tool.name))?;
        }
        Ok(tool)
    }

    /// A tool of the list, which is fetched where it is not known yet.
    pub(super) async fn tool(&self, name: &str) -> Result<Option<RemoteTool>, ClientError> {
        if let Some(tools) = self.tools.get(self.router.tools_changed()) {
            return Ok(tools.get(name).cloned());
        }
        let _listing = self.tools.listing.lock().await;
        if let Some(tools) = self.tools.get(self.router.tools_changed()) {
            return Ok(tools.get(name).cloned());
        }
        let tools = self.list_tools().await?;
        Ok(tools.into_iter().find(|tool| tool.name == name))
    }
}
