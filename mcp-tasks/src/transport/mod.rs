//! Bytes in and out: what carries the server's lines.

mod io;
mod lines;
#[cfg(feature = "stdio")]
mod stdio;
