//! One tool, or fifty, over standard input and output or over HTTP: as the documentation writes them, and at
//! their best.

use std::error::Error;
use std::sync::Arc;

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::schemars::JsonSchema;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::transport::{stdio, stdio_pipes};
use rmcp::{ServerHandler, ServiceExt, tool, tool_handler, tool_router};
use serde::Deserialize;
use tokio::net::TcpListener;
use tokio::runtime;

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct Search {
    /// What to look for
    query: String,
    /// How many to give
    limit: u32,
    /// Only those with all of these
    tags: Option<Vec<String>>,
}

impl Search {
    fn found(self) -> String {
        let tags = self.tags.unwrap_or_default().join(", ");
        format!("{} of {} ({tags})", self.limit, self.query)
    }
}

/// A server as the documentation writes it: the router is made where it is used.
macro_rules! define_server {
    ($server:ident $($name:ident)*) => {
        #[derive(Clone)]
        struct $server;

        #[tool_router]
        impl $server {
            $(
                /// Search the catalogue.
                #[tool]
                async fn $name(&self, Parameters(search): Parameters<Search>) -> String {
                    search.found()
                }
            )*
        }

        #[tool_handler]
        impl ServerHandler for $server {}
    };
}

/// The same with a router that is made once and kept in a field.
macro_rules! define_tuned_server {
    ($server:ident $($name:ident)*) => {
        #[derive(Clone)]
        struct $server {
            router: Arc<ToolRouter<Self>>,
        }

        impl $server {
            fn new() -> Self {
                Self {
                    router: Arc::new(Self::tool_router()),
                }
            }
        }

        #[tool_router]
        impl $server {
            $(
                /// Search the catalogue.
                #[tool]
                async fn $name(&self, Parameters(search): Parameters<Search>) -> String {
                    search.found()
                }
            )*
        }

        #[tool_handler(router = self.router)]
        impl ServerHandler for $server {}
    };
}

define_server!(One search);
define_tuned_server!(TunedOne search);
define_server! {
    Fifty search
    t01 t02 t03 t04 t05 t06 t07 t08 t09 t10 t11 t12 t13 t14 t15 t16 t17 t18 t19 t20 t21 t22 t23 t24 t25
    t26 t27 t28 t29 t30 t31 t32 t33 t34 t35 t36 t37 t38 t39 t40 t41 t42 t43 t44 t45 t46 t47 t48 t49
}
define_tuned_server! {
    TunedFifty search
    t01 t02 t03 t04 t05 t06 t07 t08 t09 t10 t11 t12 t13 t14 t15 t16 t17 t18 t19 t20 t21 t22 t23 t24 t25
    t26 t27 t28 t29 t30 t31 t32 t33 t34 t35 t36 t37 t38 t39 t40 t41 t42 t43 t44 t45 t46 t47 t48 t49
}

/// `stdio 50`, `stdio-tuned 50`, `http ADDRESS` or `http-json ADDRESS`.
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let threads = runtime::Builder::new_multi_thread().enable_all().build()?;
    let thread = runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    match arguments[..] {
        ["stdio", "1"] => threads.block_on(default_stdio(One)),
        ["stdio", _] => threads.block_on(default_stdio(Fifty)),
        ["stdio-tuned", "1"] => thread.block_on(tuned_stdio(TunedOne::new())),
        ["stdio-tuned", _] => thread.block_on(tuned_stdio(TunedFifty::new())),
        ["http", address] => {
            let config = StreamableHttpServerConfig::default();
            threads.block_on(http(address, One, config))
        }
        ["http-json", address] => threads.block_on(http(address, TunedOne::new(), stateless())),
        _ => Err("no such server".into()),
    }
}

async fn default_stdio(server: impl ServerHandler) -> Result<(), Box<dyn Error>> {
    server.serve(stdio()).await?.waiting().await?;
    Ok(())
}

async fn tuned_stdio(server: impl ServerHandler) -> Result<(), Box<dyn Error>> {
    server.serve(stdio_pipes()).await?.waiting().await?;
    Ok(())
}

async fn http(
    address: &str,
    server: impl ServerHandler + Clone,
    config: StreamableHttpServerConfig,
) -> Result<(), Box<dyn Error>> {
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    let listener = TcpListener::bind(address).await?;
    let router = axum::Router::new().nest_service("/mcp", service);
    Ok(axum::serve(listener, router).await?)
}

/// No sessions, and a JSON body instead of a stream of events.
fn stateless() -> StreamableHttpServerConfig {
    StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
}
