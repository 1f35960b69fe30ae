//! A tool's definition as a client may list it.

use serde_json::value::RawValue;

/// Whether a tool's runs may be tasks. [The guide](crate::guide::tasks#when-a-call-is-a-task) shows tools of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TaskSupport {
    /// Never.
    #[default]
    Never,
    /// Where the client can follow a task.
    Optional,
    /// Only as a task.
    Required,
}

/// Hints about a tool's behaviour; `None` leaves the protocol's default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Annotations {
    /// Does not modify its environment.
    pub read_only: Option<bool>,
    /// May destroy what was there.
    pub destructive: Option<bool>,
    /// Running it twice changes nothing more.
    pub idempotent: Option<bool>,
    /// Touches things outside a closed domain.
    pub open_world: Option<bool>,
}

/// What `tools/list` says of one tool, with its schemas as JSON text.
#[derive(Clone, Debug)]
pub(crate) struct ToolDef {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: String,
    pub(crate) input_schema: Box<RawValue>,
    pub(crate) output_schema: Option<Box<RawValue>>,
    pub(crate) annotations: Annotations,
    pub(crate) task_support: TaskSupport,
    pub(crate) mirrored: Vec<Mirrored>,
    pub(crate) icons: Option<Box<RawValue>>,
    pub(crate) meta: Option<Box<RawValue>>,
}

/// An argument that HTTP clients repeat in a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mirrored {
    /// The header's name, in lower case.
    pub(crate) header: String,
    /// The argument's place: the properties that lead to it.
    pub(crate) path: Vec<String>,
}
