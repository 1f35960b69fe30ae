//! A server and its client in one process.

use std::io;

use crate::client::Endpoint;
use crate::server::Server;

/// Room for lines under way in each direction; a longer line still passes, in parts.
const PIPE: usize = 64 * 1024;

/// The server is served in the background for as long as the client is connected. Its tasks outlive that, and another
/// client of the same server, or of a clone, finds them.
impl From<&Server> for Endpoint {
    fn from(server: &Server) -> Self {
        let server = server.clone();
        Self::lazy_io("the server of this process", move || {
            server.check().map_err(io::Error::other)?;
            let (near, far) = tokio::io::duplex(PIPE);
            let (reader, writer) = tokio::io::split(far);
            tokio::spawn(async move {
                if let Err(error) = server.serve_io(reader, writer).await {
                    tracing::error!("serving a client of this process: {error}");
                }
            });
            Ok(tokio::io::split(near))
        })
    }
}
