//! What a client reads of a server: who it is, its tools, their results, and the tasks it runs.

mod result;
mod server;
mod task;
mod tool;

pub use self::result::CallResult;
pub use self::server::{LogMessage, Progress, RemoteServer};
pub use self::task::{Status, Task};
pub use self::tool::RemoteTool;
