//! What every client sees over HTTP, byte for byte: one module per subject of the transport.

mod bearer;
mod closing;
mod core_rules;
mod core_tasks;
mod doors;
mod draft;
mod embedded;
mod eras;
mod extension_tasks;
mod floods;
mod headers;
mod isolation;
mod limits;
mod listen;
mod listening;
mod questions;
mod resuming;
mod sessions;
mod shapes;
mod sockets;
mod tools;
