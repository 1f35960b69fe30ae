//! Helpers shared by the workspace tests.

#![allow(
    clippy::missing_panics_doc,
    reason = "a helper panics where the test fails"
)]

pub mod http;
pub mod open_files;
pub mod pages;
pub mod schemas;
pub mod session;
pub mod stores;
pub mod tools;
pub mod transcript;

/// What task `number` of `client` says at its end, in the tests of many clients.
pub fn load_text(client: u32, number: u32) -> String {
    format!("{number} of {client} ").repeat(50)
}
