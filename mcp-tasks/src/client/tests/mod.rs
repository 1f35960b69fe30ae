//! The client against servers whose every word the test says, in paused time.

mod broken;
mod broken_questions;
mod broken_tasks;
mod core_tasks;
mod draft;
mod draft_golden;
mod dropped;
mod era;
#[cfg(feature = "client-http")]
mod era_http;
mod extension;
#[cfg(feature = "client-http")]
mod http;
#[cfg(feature = "client-http")]
mod http_broken;
#[cfg(feature = "client-http")]
mod http_opening;
#[cfg(feature = "client-http")]
mod lifecycle;
mod pages;
mod pages_done;
mod panics;
mod rounds;
mod script;
#[cfg(feature = "client-http")]
mod site;
mod stuck;
