//! What every client sees, over real JSON lines: one module per subject of the protocol.
//!
//! Each conversation is judged as a whole when its session is dropped (`tests::transcript`); the tests assert
//! what is particular to them.

mod abuse;
mod application;
mod arguments;
mod around;
mod author_code;
mod batch;
mod beginning;
mod bounds;
mod cancel_core;
mod cancel_extension;
mod cancel_request;
mod cases;
mod client;
mod core_list;
mod core_result;
mod declaration;
mod discover;
mod draft;
mod draft_store;
mod ending;
mod facts;
mod handshake;
mod hostile;
mod leaving;
mod listen;
mod live_tools;
mod masked;
mod methods;
mod mrtr;
mod mrtr_retry;
mod other_store;
mod paused;
mod progress;
mod promises;
mod questions_core;
mod questions_extension;
mod questions_inline;
mod questions_other;
mod refusals;
mod remote_store;
mod retention;
mod running;
mod runtime_tools;
mod store_failure;
mod structured;
mod visible;
mod whole_context;
