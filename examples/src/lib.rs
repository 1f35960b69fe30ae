//! What the runnable servers of this crate are made of, free of any framework.

pub mod analysis;
pub mod data_dir;
pub mod penguins;
