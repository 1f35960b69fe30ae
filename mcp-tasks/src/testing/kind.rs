//! The kinds of client there are.

use std::fmt;

use serde_json::{Value, json};

/// The label under which the 2026-07-28 tasks extension is declared.
pub(super) const TASKS_EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// Which client a [`Client`](super::Client) plays: a revision, and whether it follows tasks.
///
/// See [the guide](crate::guide::testing) for a test of every kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ClientKind {
    /// 2026-07-28, declaring the tasks extension on every request.
    TasksExtension,
    /// 2026-07-28 without tasks.
    V2026_07_28,
    /// 2025-11-25, sending `task` with each call of a tool that supports it.
    CoreTasks,
    /// 2025-11-25 without tasks.
    V2025_11_25,
    /// 2025-06-18, which knows elicitation and no tasks.
    V2025_06_18,
    /// 2025-03-26, which knows neither.
    V2025_03_26,
    /// 2025-06-18, making a task of each call as the SEP-1686 draft has it. It is not among [`every_client`]: what
    /// [`Context::status`](crate::Context::status) says has no place in the draft, and so a test that waits for it does
    /// not hold here.
    Draft,
}

/// One of each kind but [`ClientKind::Draft`], newest first. The last, 2025-03-26, cannot be asked anything: for a tool that must ask there
/// is `every_client().filter(|kind| kind.asks())`.
///
/// See [the guide](crate::guide::testing) for a test of every kind.
pub fn every_client() -> impl Iterator<Item = ClientKind> {
    ClientKind::ALL.into_iter()
}

impl ClientKind {
    /// One of each kind but the draft's, newest first.
    pub const ALL: [Self; 6] = [
        Self::TasksExtension,
        Self::V2026_07_28,
        Self::CoreTasks,
        Self::V2025_11_25,
        Self::V2025_06_18,
        Self::V2025_03_26,
    ];

    /// The protocol revision this client speaks, as the wire spells it.
    pub fn revision(self) -> &'static str {
        match self {
            Self::TasksExtension | Self::V2026_07_28 => "2026-07-28",
            Self::CoreTasks | Self::V2025_11_25 => "2025-11-25",
            Self::V2025_06_18 | Self::Draft => "2025-06-18",
            Self::V2025_03_26 => "2025-03-26",
        }
    }

    /// Whether requests carry their own metadata, rather than following an `initialize`.
    pub fn is_modern(self) -> bool {
        matches!(self, Self::TasksExtension | Self::V2026_07_28)
    }

    /// Whether this client's revision has a way to ask the user; 2025-03-26 has none.
    ///
    /// ```
    /// use mcp_tasks::testing::every_client;
    ///
    /// assert_eq!(every_client().filter(|kind| kind.asks()).count(), 5);
    /// ```
    pub fn asks(self) -> bool {
        self != Self::V2025_03_26
    }

    /// Whether this client can be sent to a page ([`Context::elicit_url`](crate::Context::elicit_url)), which revisions
    /// before 2025-11-25 have no way to do.
    ///
    /// ```
    /// use mcp_tasks::testing::every_client;
    ///
    /// assert_eq!(every_client().filter(|kind| kind.shows_pages()).count(), 4);
    /// ```
    pub fn shows_pages(self) -> bool {
        !matches!(self, Self::V2025_06_18 | Self::V2025_03_26 | Self::Draft)
    }

    /// Whether this client can follow a task.
    pub fn follows_tasks(self) -> bool {
        matches!(self, Self::TasksExtension | Self::CoreTasks | Self::Draft)
    }

    /// Everything such a client can declare, beside the tasks extension.
    pub(super) fn default_capabilities(self) -> Value {
        match self {
            Self::TasksExtension | Self::V2026_07_28 => {
                json!({ "elicitation": { "form": {}, "url": {} }, "sampling": {}, "roots": {} })
            }
            Self::CoreTasks | Self::V2025_11_25 => json!({
                "elicitation": { "form": {}, "url": {} },
                "sampling": {},
                "roots": { "listChanged": true },
            }),
            Self::V2025_06_18 | Self::Draft => {
                json!({ "elicitation": {}, "sampling": {}, "roots": {} })
            }
            Self::V2025_03_26 => json!({ "sampling": {}, "roots": {} }),
        }
    }
}

impl fmt::Display for ClientKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.revision())?;
        f.write_str(match self {
            Self::TasksExtension => " with the tasks extension",
            Self::CoreTasks => " with core tasks",
            Self::Draft => " with draft tasks",
            _ => "",
        })
    }
}
