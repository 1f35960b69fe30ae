//! One HTTP request on a connection of its own.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The status and the body of the reply to `head`, which is the request line and the headers but the usual ones, and `body`.
pub(crate) async fn send(address: SocketAddr, head: &str, body: &str) -> (u16, String) {
    let mut connection = TcpStream::connect(address).await.unwrap();
    let length = body.len();
    let request = format!(
        "{head}\r\nHost: {address}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
    connection.write_all(request.as_bytes()).await.unwrap();
    let mut reply = String::new();
    connection.read_to_string(&mut reply).await.unwrap();
    let (head, body) = reply.split_once("\r\n\r\n").expect("a whole reply");
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
    (status.expect("a status"), body.to_owned())
}
