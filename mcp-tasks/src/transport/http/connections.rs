//! The connections of a listener of one's own: taken in, bounded in number and in patience, and ended.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::patience::Patience;
use super::service::HttpService;
use crate::server::Limits;

/// Bytes of a request's head, and of what is written at once.
const BUFFER: usize = 64 * 1024;

/// No connection is waited for longer, whatever the limit: a moment that far off can still be told by the clock.
const FOR_EVER: Duration = Duration::from_secs(365 * 24 * 3600);

/// How long nothing is accepted after the system could not give a connection, for want of open files say.
const BREATH: Duration = Duration::from_millis(100);

/// What a connection beyond the limit is told before it is closed.
const TURNED_AWAY: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n\
    Content-Length: 0\r\n\r\n";

/// The open connections. Dropped, it closes them.
pub(super) struct Connections {
    service: HttpService,
    most: usize,
    /// How long a client may take for a request's head, and be silent before it.
    receive: Duration,
    open: JoinSet<()>,
    /// Told to end after the request in hand.
    ending: CancellationToken,
}

impl Connections {
    pub(super) fn new(service: HttpService, limits: &Limits) -> Self {
        Self {
            service,
            most: limits.connections,
            receive: limits.receive.min(FOR_EVER),
            open: JoinSet::new(),
            ending: CancellationToken::new(),
        }
    }

    /// Takes connections in until the future is dropped.
    pub(super) async fn accept_all(&mut self, listener: &TcpListener) {
        loop {
            tokio::select! {
                biased;
                Some(_) = self.open.join_next() => {}
                accepted = listener.accept() => match accepted {
                    Ok((stream, from)) => self.take_in(stream, from),
                    Err(error) => pause_after(&error).await,
                },
            }
        }
    }

    fn take_in(&mut self, stream: TcpStream, from: SocketAddr) {
        if self.open.len() >= self.most {
            tracing::warn!(%from, "too many connections");
            // Whoever does not take it at once learns it from the end of the connection.
            let _ = stream.try_write(TURNED_AWAY);
            return;
        }
        // Small frames leave at once.
        let _ = stream.set_nodelay(true);
        // Counted per connection: one count for all would go from core to core with every request.
        let service = Arc::new(self.service.clone());
        let service = service_fn(move |request| Arc::clone(&service).served(request));
        let connection = http1::Builder::new()
            .timer(Patience::default())
            .header_read_timeout(self.receive)
            .max_buf_size(BUFFER)
            .serve_connection(TokioIo::new(stream), service);
        // Its own, since every wakening of a connection looks at it.
        let ending = self.ending.child_token();
        self.open.spawn(async move {
            let mut connection = std::pin::pin!(connection);
            let served = tokio::select! {
                biased;
                served = connection.as_mut() => served,
                () = ending.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = served {
                tracing::debug!(%from, %error, "a connection broke off");
            }
        });
    }

    /// Lets every connection end after the request in hand, and waits until all have.
    pub(super) async fn finish(&mut self) {
        self.ending.cancel();
        while self.open.join_next().await.is_some() {}
    }
}

/// What goes wrong with one connection is no reason to wait for the next.
async fn pause_after(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    ) {
        tracing::error!(%error, "no connection can be accepted");
        tokio::time::sleep(BREATH).await;
    }
}
