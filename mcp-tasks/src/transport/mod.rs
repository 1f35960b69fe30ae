//! Bytes in and out: what carries the server's lines.

mod connection;
mod io;
mod lines;
#[cfg(feature = "stdio")]
mod stdio;
