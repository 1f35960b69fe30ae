//! Races through the real server: two who act on one task at the same moment, thousands of times.
//!
//! Every round holds the rules of its wire, whoever wins: one response for each request, one outcome that
//! nothing changes any more. At the end every table of the server is empty.

mod answer;
mod arena;
mod bodies;
mod cancel;
mod disconnect;
mod draft;
mod inline;
mod store;
mod tools;
mod wire;
