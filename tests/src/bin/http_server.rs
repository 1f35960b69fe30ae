//! A server that listens in a process of its own: it says where, ends when its input does, and tells what its tables
//! hold for every line until then.

use std::io::{BufRead, stdin};

use mcp_tasks::prelude::*;
use mcp_tasks::testing::tables;
use tests::open_files::allow_many;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// Takes a while, and says what nobody else is told.
#[mcp_tool(task)]
async fn stamp(client: u32, number: u32, millis: u64) -> String {
    tokio::time::sleep(Duration::from_millis(millis)).await;
    tests::load_text(client, number)
}

#[tokio::main]
async fn main() -> Result<(), mcp_tasks::Error> {
    allow_many();
    let server = Server::new("load").tools(tools![stamp]);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    let (end, ended) = oneshot::channel();
    let told = server.clone();
    std::thread::spawn(move || {
        for _ in stdin().lock().lines() {
            println!("{:?}", tables(&told));
        }
        let _ = end.send(());
    });
    let signal = async {
        let _ = ended.await;
    };
    server.serve_listener(listener, signal).await
}
