//! A connection over any pair of byte streams.

use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::lines::{Line, Lines};
use crate::model::principal::Owner;
use crate::server::outbox::Outbox;
use crate::server::{Error, Peer, Server};

/// Bytes read at once.
pub(super) const CHUNK: usize = 64 * 1024;

impl Server {
    /// Serves one client over a pair of byte streams, one JSON message a line, until `reader` ends.
    ///
    /// Calls accepted by then get the `drain` of [`Limits`](crate::Limits) to finish and are answered in any
    /// case. Tasks outlive the connection: another one served from a clone of this server finds them.
    ///
    /// # Errors
    /// What [`check`](Server::check) finds, or an I/O error of the streams.
    pub async fn serve_io<R, W>(&self, mut reader: R, writer: W) -> Result<(), Error>
    where
        R: AsyncRead + Send + Unpin,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let core = self.core()?;
        let outbox = Arc::new(Outbox::default());
        let peer = Peer::new(Arc::clone(&core), Owner::Process, Arc::clone(&outbox));
        let written = tokio::spawn(write(writer, Arc::clone(&outbox)));
        let read = read(&mut reader, &peer, &outbox, core.line_bytes()).await;
        peer.finish(core.drain()).await;
        outbox.close();
        let written = written
            .await
            .unwrap_or_else(|panic| Err(std::io::Error::other(panic)));
        read.and(written).map_err(Error::from)
    }
}

async fn read(
    reader: &mut (impl AsyncRead + Unpin),
    peer: &Arc<Peer>,
    outbox: &Outbox,
    limit: usize,
) -> std::io::Result<()> {
    let mut lines = Lines::new(limit);
    let mut chunk = vec![0; CHUNK];
    loop {
        outbox.wait_for_room().await;
        let length = reader.read(&mut chunk).await?;
        if length == 0 {
            lines.finish(|line| take_in(peer, &line));
            return Ok(());
        }
        lines.feed(&chunk[..length], |line| take_in(peer, &line));
    }
}

pub(super) fn take_in(peer: &Arc<Peer>, line: &Line<'_>) {
    match line {
        Line::Whole(line) => peer.receive(line),
        Line::TooLong => peer.line_too_long(),
    }
}

/// Writes until the outbox is closed and empty. A client that stops reading loses what it does not read; the
/// server goes on for its tasks.
async fn write(mut writer: impl AsyncWrite + Unpin, outbox: Arc<Outbox>) -> std::io::Result<()> {
    while let Some(chunks) = outbox.take().await {
        for chunk in chunks {
            if let Err(error) = writer.write_all(&chunk).await {
                outbox.close();
                return Err(error);
            }
        }
        writer.flush().await?;
    }
    writer.shutdown().await
}
