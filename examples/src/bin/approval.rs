//! Serves `examples::approval` over stdio, and its page on a port of this machine.

use std::error::Error;
use std::future::IntoFuture;

use examples::approval::{self, Uploads};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let uploads = Uploads::new(format!("http://{}", listener.local_addr()?));
    tokio::spawn(axum::serve(listener, uploads.router()).into_future());
    Ok(approval::server(uploads).serve_stdio().await?)
}
