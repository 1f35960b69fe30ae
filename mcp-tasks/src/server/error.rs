//! Why a server could not start or go on.

use std::fmt;

/// Why a server could not start or go on. `Debug` is the same sentence as `Display`, so that
/// `main() -> Result<(), mcp_tasks::Error>` prints it readably.
///
/// ```
/// use mcp_tasks::Server;
///
/// let error = Server::new("ops").configure("deploy", |_| {}).check().unwrap_err();
/// assert_eq!(error.to_string(), "`configure` names the tool `deploy`, which this server does not have");
/// ```
pub struct Error(Kind);

enum Kind {
    /// Everything that start-up checks found.
    Setup(Vec<String>),
    Io(std::io::Error),
    /// Where it was to listen, and why it cannot.
    #[cfg(feature = "http")]
    Listen(String, std::io::Error),
}

impl Error {
    pub(super) fn setup(faults: Vec<String>) -> Self {
        Self(Kind::Setup(faults))
    }

    #[cfg(feature = "http")]
    pub(crate) fn listen(addrs: &[std::net::SocketAddr], error: std::io::Error) -> Self {
        let addrs: Vec<_> = addrs.iter().map(ToString::to_string).collect();
        Self(Kind::Listen(addrs.join(" or "), error))
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self(Kind::Io(error))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Setup(faults) => f.write_str(&faults.join("\n")),
            Kind::Io(error) => write!(f, "the connection failed: {error}"),
            #[cfg(feature = "http")]
            Kind::Listen(addrs, error) => write!(f, "cannot listen at {addrs}: {error}"),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0 {
            Kind::Setup(_) => None,
            Kind::Io(error) => Some(error),
            #[cfg(feature = "http")]
            Kind::Listen(_, error) => Some(error),
        }
    }
}
