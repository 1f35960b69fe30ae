//! Bytes in and out: what carries the server's lines.

mod connection;
#[cfg(feature = "http")]
pub(crate) mod http;
#[cfg(feature = "client")]
mod in_process;
mod io;
mod lines;
#[cfg(feature = "stdio")]
mod stdio;
