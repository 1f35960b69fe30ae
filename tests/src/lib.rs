//! Helpers shared by the workspace tests.

#![allow(
    clippy::missing_panics_doc,
    reason = "a helper panics where the test fails"
)]

pub mod http;
pub mod schemas;
pub mod session;
pub mod stores;
pub mod tools;
pub mod transcript;
