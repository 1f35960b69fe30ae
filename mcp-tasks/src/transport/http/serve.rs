//! The endpoint behind a listener of its own.

use std::future::Future;

#[cfg(feature = "axum")]
use axum::{Router, routing::any_service};
use tokio::net::{TcpListener, ToSocketAddrs};

#[cfg(feature = "axum")]
use super::auth::WELL_KNOWN;
use super::connections::Connections;
#[cfg(feature = "axum")]
use super::service::HttpService;
use crate::server::{Error, Server};

impl Server {
    /// Serves HTTP at `addr`, at the paths `/mcp` and `/mcp/`, for ever.
    ///
    /// Requests must name this machine as their host; [`allow_host`](Server::allow_host) adds names.
    ///
    /// # Errors
    /// What [`check`](Server::check) finds, or an I/O error of the listener.
    pub async fn serve_http(self, addr: impl ToSocketAddrs) -> Result<(), Error> {
        self.serve_http_until(addr, std::future::pending()).await
    }

    /// The same until `signal` resolves: then no connection is taken any more, calls get the `drain` of
    /// [`Limits`](crate::Limits) to finish, and tasks are told to stop.
    ///
    /// # Errors
    /// As for [`serve_http`](Server::serve_http).
    pub async fn serve_http_until(
        self,
        addr: impl ToSocketAddrs,
        signal: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), Error> {
        let addrs: Vec<_> = tokio::net::lookup_host(addr).await?.collect();
        let listener = TcpListener::bind(&*addrs).await;
        let listener = listener.map_err(|error| Error::listen(&addrs, error))?;
        self.serve_listener(listener, signal).await
    }

    /// The same on a listener that is bound already.
    ///
    /// # Errors
    /// As for [`serve_http`](Server::serve_http).
    pub async fn serve_listener(
        self,
        listener: TcpListener,
        signal: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), Error> {
        let core = self.core()?;
        let service = self.into_service()?;
        let mut connections = Connections::new(service.clone(), core.limits());
        tokio::select! {
            () = connections.accept_all(&listener) => {}
            () = signal => {}
        }
        drop(listener);
        let ending = async {
            service.shut_down().await;
            connections.finish().await;
        };
        // A client that keeps its connection open does not keep the server from ending.
        let _ = tokio::time::timeout(core.drain() * 2, ending).await;
        Ok(())
    }
}

#[cfg(feature = "axum")]
impl Server {
    /// This server's MCP endpoint as an axum router, to be merged into an application's own, with its paths `/mcp` and
    /// `/mcp/`, and `/.well-known/oauth-protected-resource` for [`bearer_auth`](Server::bearer_auth). It checks hosts
    /// and origins itself; whoever listens decides on `TCP_NODELAY` and on the end.
    ///
    /// # Errors
    /// What [`check`](Server::check) finds.
    ///
    /// ```
    /// use axum::{Router, routing::get};
    /// use mcp_tasks::Server;
    ///
    /// # fn main() -> Result<(), mcp_tasks::Error> {
    /// let app: Router = Router::new()
    ///     .route("/health", get(|| async { "fine" }))
    ///     .merge(Server::new("ops").into_router()?);
    /// # drop(app); Ok(()) }
    /// ```
    pub fn into_router<S>(self) -> Result<Router<S>, Error>
    where
        S: Clone + Send + Sync + 'static,
    {
        Ok(self.into_service()?.into_router())
    }
}

#[cfg(feature = "axum")]
impl HttpService {
    /// The same as [`Server::into_router`], for those who keep a clone of the service to
    /// [`shut_down`](HttpService::shut_down).
    pub fn into_router<S>(self) -> Router<S>
    where
        S: Clone + Send + Sync + 'static,
    {
        let has_metadata = self.has_metadata();
        let service = any_service(self);
        let router = Router::new()
            .route("/mcp", service.clone())
            .route("/mcp/", service.clone());
        if !has_metadata {
            // An application may well describe itself.
            return router;
        }
        router
            .route(WELL_KNOWN, service.clone())
            .route(&format!("{WELL_KNOWN}/{{*resource}}"), service)
    }
}
