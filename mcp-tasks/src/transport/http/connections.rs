//! The connections of a listener of one's own: taken in, bounded in number and in patience, and ended.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::extract::Request;
use http::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tower_service::Service;

use crate::server::Limits;

/// Bytes of a request's head, and of what is written at once.
const BUFFER: usize = 64 * 1024;

/// How long nothing is accepted after the system could not give a connection, for want of open files say.
const BREATH: Duration = Duration::from_millis(100);

/// What a connection beyond the limit is told before it is closed.
const TURNED_AWAY: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n\
    Content-Length: 0\r\n\r\n";

/// The open connections. Dropped, it closes them.
pub(super) struct Connections {
    router: Router,
    most: usize,
    /// How long a client may take for a request's head, and be silent before it.
    receive: Duration,
    open: JoinSet<()>,
    /// Told to end after the request in hand.
    ending: CancellationToken,
}

impl Connections {
    pub(super) fn new(router: Router, limits: &Limits) -> Self {
        Self {
            router,
            most: limits.connections,
            receive: limits.receive,
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
        let router = self.router.clone();
        let service = service_fn(move |request: hyper::Request<Incoming>| {
            let mut request: Request = request.map(axum::body::Body::new);
            request.extensions_mut().insert(ConnectInfo(from));
            let mut router = router.clone();
            async move { router.call(request).await as Result<Response<_>, _> }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.receive)
            .max_buf_size(BUFFER)
            .serve_connection(TokioIo::new(stream), service);
        let ending = self.ending.clone();
        self.open.spawn(async move {
            let mut connection = std::pin::pin!(connection);
            let served = tokio::select! {
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
