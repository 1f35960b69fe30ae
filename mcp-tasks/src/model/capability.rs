//! What a client can do, as far as a tool can ask for it.

/// Something a client may or may not be able to do for a tool.
///
/// [`Context::supports`](crate::Context::supports) tells of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Capability {
    /// Show the user a form (`elicitation`, form mode).
    Elicitation,
    /// Show the user a URL (`elicitation`, URL mode).
    UrlElicitation,
    /// Run a completion on the client's model.
    Sampling,
    /// Let that model use tools given with the request (`sampling.tools`).
    SamplingTools,
    /// List the client's file system roots.
    Roots,
    /// Run tools as tasks.
    Tasks,
}

/// A set of [`Capability`] values, as one request (modern) or one session (legacy) declared it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Capabilities(u8);

impl Capabilities {
    pub(crate) const NONE: Self = Self(0);

    pub(crate) const fn with(self, capability: Capability) -> Self {
        Self(self.0 | 1 << capability as u8)
    }

    pub(crate) const fn has(self, capability: Capability) -> bool {
        self.0 & (1 << capability as u8) != 0
    }

    pub(crate) const fn without(self, capability: Capability) -> Self {
        Self(self.0 & !(1 << capability as u8))
    }
}
