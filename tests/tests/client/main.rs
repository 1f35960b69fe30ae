//! The client against this crate's own server.

mod dropped;
mod links;
mod matrix;
mod methods;
mod pages;
mod sockets;
