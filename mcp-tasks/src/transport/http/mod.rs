//! Streamable HTTP: one endpoint for modern requests, each of which stands alone, and for the sessions of
//! older clients.

mod answer;
mod auth;
mod body;
mod checks;
mod connections;
mod exchanges;
mod guard;
mod headers;
mod intake;
mod mirrored;
mod patience;
mod posted;
mod sent;
mod serve;
mod service;
mod session;
mod sse;
mod stream;
mod within;

pub use self::body::ResponseBody;
pub use self::service::HttpService;
