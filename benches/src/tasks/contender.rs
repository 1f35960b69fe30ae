//! Who is measured: servers with the same tools.

use std::io;
use std::path::PathBuf;

use crate::servers::Package;

/// A server, and how it is spoken to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Contender {
    /// mcp-tasks with the 2026-07-28 extension.
    Extension,
    /// mcp-tasks with the tasks of 2025-11-25.
    Core,
    /// rmcp with its `TaskManager`, which speaks the extension.
    Rmcp,
    /// The same on one thread, with pipes that do not block.
    RmcpTuned,
    /// What writes as many bytes and does nothing else.
    Floor,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wire {
    Extension,
    Core,
}

impl Contender {
    /// Everybody who has tasks.
    pub(super) const SERVERS: [Self; 4] =
        [Self::Extension, Self::Core, Self::Rmcp, Self::RmcpTuned];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Extension => "mcp-tasks, 2026-07-28",
            Self::Core => "mcp-tasks, 2025-11-25",
            Self::Rmcp => "rmcp",
            Self::RmcpTuned => "rmcp tuned",
            Self::Floor => "floor",
        }
    }

    pub(super) fn wire(self) -> Wire {
        match self {
            Self::Core => Wire::Core,
            _ => Wire::Extension,
        }
    }

    /// What tells its program to be this one.
    pub(super) fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::RmcpTuned => &["tuned"],
            _ => &[],
        }
    }

    fn package(self) -> Package {
        match self {
            Self::Extension | Self::Core => Package::McpTasks,
            Self::Rmcp | Self::RmcpTuned => Package::Rmcp,
            Self::Floor => Package::Floor,
        }
    }
}

/// The built programs.
pub(super) struct Programs(Vec<(Package, PathBuf)>);

impl Programs {
    pub(super) fn build(packages: &[Package]) -> io::Result<Self> {
        let built = packages
            .iter()
            .map(|package| Ok((*package, package.build()?.join("tasks"))));
        built.collect::<io::Result<_>>().map(Self)
    }

    pub(super) fn of(&self, contender: Contender) -> &PathBuf {
        let package = contender.package();
        let found = self.0.iter().find(|(built, _)| *built == package);
        &found.expect("what is measured is built").1
    }
}
