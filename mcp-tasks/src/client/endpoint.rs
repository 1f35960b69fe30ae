//! Where a server is.

use std::fmt;
use std::io;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::process::Command;

use super::error::ClientError;
use super::router::Router;
use super::transport::lines::Lines;
use super::transport::{Transport, process};
use crate::model::BoxFuture;

type Opened = Result<Arc<dyn Transport>, ClientError>;
type Open = Box<dyn FnOnce(Arc<Router>) -> BoxFuture<'static, Opened> + Send>;

/// Where a server is, and how to reach it. Most are made by `into`: from a [`Command`] that serves its standard input
/// and output, with feature `client-http` from a URL, and with feature `server` from a `&Server`.
///
/// ```no_run
/// use mcp_tasks::client::{Client, ClientError, Endpoint};
/// use tokio::net::TcpStream;
///
/// # async fn shown(stream: TcpStream) -> Result<(), ClientError> {
/// let (reader, writer) = stream.into_split();
/// let client = Client::connect(Endpoint::io(reader, writer)).await?;
/// # Ok(())
/// # }
/// ```
pub struct Endpoint {
    pub(super) label: String,
    open: Open,
}

impl Endpoint {
    pub(super) fn new<O, F>(label: String, open: O) -> Self
    where
        O: FnOnce(Arc<Router>) -> F + Send + 'static,
        F: Future<Output = Opened> + Send + 'static,
    {
        Self {
            label,
            open: Box::new(|router| Box::pin(open(router))),
        }
    }

    /// A server at the other end of a pair of byte streams, one JSON message a line.
    pub fn io<R, W>(reader: R, writer: W) -> Self
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        Self::lazy_io("the server", || Ok((reader, writer)))
    }

    /// The same, for streams that are made when the client connects.
    pub(crate) fn lazy_io<R, W>(
        label: &str,
        streams: impl FnOnce() -> io::Result<(R, W)> + Send + 'static,
    ) -> Self
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let label = label.to_owned();
        Self::new(label.clone(), async move |router| {
            let (reader, writer) = streams().map_err(|error| ClientError::Connect {
                to: label,
                source: Arc::new(error),
            })?;
            Ok(Arc::new(Lines::open(reader, writer, router)) as _)
        })
    }

    pub(super) async fn open(self, router: Arc<Router>) -> Opened {
        (self.open)(router).await
    }
}

impl From<Command> for Endpoint {
    fn from(command: Command) -> Self {
        let label = process::label(command.as_std());
        Self::new(label.clone(), async move |router| {
            process::spawn(command, &label, router).map(|process| Arc::new(process) as _)
        })
    }
}

impl From<std::process::Command> for Endpoint {
    fn from(command: std::process::Command) -> Self {
        Command::from(command).into()
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Endpoint").field(&self.label).finish()
    }
}
