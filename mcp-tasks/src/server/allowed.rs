//! Under which names a server may be reached over HTTP, and from which pages.

/// The host names and origins that requests may carry. By default this machine by its own names alone, so that
/// no page can reach it by making a name of its own resolve here.
#[derive(Clone, Debug)]
pub(crate) struct Allowed {
    /// `None` takes any host.
    pub(crate) hosts: Option<Vec<String>>,
    pub(crate) origins: Vec<String>,
}

impl Default for Allowed {
    fn default() -> Self {
        let local = ["localhost", "127.0.0.1", "[::1]"];
        Self {
            hosts: Some(local.map(String::from).to_vec()),
            origins: Vec::new(),
        }
    }
}

impl Allowed {
    pub(crate) fn allow_host(&mut self, host: &str) {
        if let Some(hosts) = &mut self.hosts {
            hosts.push(host.to_ascii_lowercase());
        }
    }

    pub(crate) fn allow_any_host(&mut self) {
        self.hosts = None;
    }

    pub(crate) fn allow_origin(&mut self, origin: &str) {
        let origin = origin.trim_end_matches('/').to_ascii_lowercase();
        self.origins.push(origin);
    }
}
