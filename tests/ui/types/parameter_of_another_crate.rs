use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(stream: std::net::TcpStream, call: Box<dyn Fn(u8) + Send>) -> String {
    //~ `std::net::TcpStream` a type of another crate that is no argument
    //~ `Box<dyn Fn(u8) + Send>` a closure
    call(1);
    format!("{stream:?}")
}

fn main() {
    let _ = tools![t];
}
