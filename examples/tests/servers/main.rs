//! What each example claims, held over every kind of client: a file for each.

mod analyze_dataset;
mod approval;
mod blocking;
#[cfg(unix)]
mod ci_runner;
mod crm;
mod dynamic;
mod external_job;
mod forms;
mod http;
mod plot;
mod running;
mod sampling;
