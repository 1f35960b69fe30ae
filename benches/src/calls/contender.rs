//! Who answers the calls.

use crate::servers::Package;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Contender {
    McpTasks,
    RmcpDefault,
    /// As its documentation says it is quickest: which way that is depends on the transport.
    RmcpBest,
    Floor,
}

impl Contender {
    pub(super) const ALL: [Self; 4] = [
        Self::McpTasks,
        Self::RmcpDefault,
        Self::RmcpBest,
        Self::Floor,
    ];

    pub(super) fn title(self) -> &'static str {
        match self {
            Self::McpTasks => "mcp-tasks",
            Self::RmcpDefault => "rmcp, as documented",
            Self::RmcpBest => "rmcp at its best",
            Self::Floor => "floor",
        }
    }

    pub(super) fn package(self) -> Package {
        match self {
            Self::McpTasks => Package::McpTasks,
            Self::RmcpDefault | Self::RmcpBest => Package::Rmcp,
            Self::Floor => Package::Floor,
        }
    }
}
