//! Which of the protocol's wires a connection speaks.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::wire::Revision;

/// A way to speak with a server: a protocol revision, or the draft of the tasks.
///
/// ```
/// use mcp_tasks::client::Wire;
///
/// assert_eq!("2025-11-25".parse(), Ok(Wire::V2025_11_25));
/// assert_eq!(Wire::Draft.as_str(), "sep-1686");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
#[non_exhaustive]
pub enum Wire {
    /// Requests that stand alone, tasks by the extension.
    V2026_07_28,
    /// Sessions, with the core tasks.
    V2025_11_25,
    /// Sessions without tasks.
    V2025_06_18,
    /// Sessions without tasks and without questions to the user.
    V2025_03_26,
    /// A 2025-06-18 session with tasks as SEP-1686 drafted them. It is never chosen by itself.
    Draft,
}

impl Wire {
    const ALL: [Self; 5] = [
        Self::V2026_07_28,
        Self::V2025_11_25,
        Self::V2025_06_18,
        Self::V2025_03_26,
        Self::Draft,
    ];

    /// Its name: the revision's date, or `sep-1686`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "sep-1686",
            revision => revision.revision().as_str(),
        }
    }

    pub(super) fn revision(self) -> Revision {
        match self {
            Self::V2026_07_28 => Revision::V2026_07_28,
            Self::V2025_11_25 => Revision::V2025_11_25,
            Self::V2025_06_18 | Self::Draft => Revision::V2025_06_18,
            Self::V2025_03_26 => Revision::V2025_03_26,
        }
    }

    pub(super) fn is_modern(self) -> bool {
        self == Self::V2026_07_28
    }

    /// The wire of a session whose server named this revision. One of before the first that this crate knows is close
    /// enough to it.
    pub(super) fn of_session(version: &str) -> Option<Self> {
        match version {
            "2025-11-25" => Some(Self::V2025_11_25),
            "2025-06-18" => Some(Self::V2025_06_18),
            "2025-03-26" | "2024-11-05" => Some(Self::V2025_03_26),
            _ => None,
        }
    }
}

impl fmt::Display for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<Wire> for String {
    fn from(wire: Wire) -> Self {
        wire.as_str().to_owned()
    }
}

impl TryFrom<String> for Wire {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        name.parse()
    }
}

impl FromStr for Wire {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|wire| wire.as_str() == name);
        known.ok_or_else(|| {
            let names = Self::ALL.map(Self::as_str).join(", ");
            format!("unknown wire `{name}`; there are {names}")
        })
    }
}
