//! Runnable servers that show one thing each: a module with the tools and a `server()`, which a program of the same name
//! in `src/bin` serves and a file of the same name in `tests/servers` holds to its word. `README.md` lists them.
//!
//! `analysis`, `data_dir` and `penguins` are what `analyze_dataset` and `generate_dataset` are made of, free of any
//! framework. `deploy` is the front page's example, which stands in its program as it is printed there.

pub mod analysis;
pub mod analyze_dataset;
pub mod approval;
pub mod blocking;
#[cfg(unix)]
pub mod ci_runner;
pub mod crm;
pub mod data_dir;
pub mod dynamic;
pub mod external_job;
pub mod forms;
pub mod penguins;
pub mod plot;
pub mod sampling;
