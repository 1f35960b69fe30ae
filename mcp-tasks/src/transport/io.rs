//! A connection over any pair of byte streams.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::ready;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::connection::Connection;
#[cfg(feature = "testing")]
use crate::context::extensions::Extensions;
#[cfg(feature = "testing")]
use crate::model::principal::Owner;
use crate::server::outbox::Outbox;
use crate::server::{Error, Server};

/// Bytes read at once.
pub(super) const CHUNK: usize = 64 * 1024;

impl Server {
    /// Serves one client over a pair of byte streams, one JSON message a line, until `reader` ends.
    ///
    /// Calls accepted by then get the `drain` of [`Limits`](crate::Limits) to finish and are answered in any
    /// case. Tasks outlive the connection: another one served from a clone of this server finds them. Dropping
    /// the future drops the connection, and cancels the calls that it holds.
    ///
    /// # Errors
    /// What [`check`](Server::check) finds, or an I/O error of the streams.
    pub async fn serve_io<R, W>(&self, reader: R, writer: W) -> Result<(), Error>
    where
        R: AsyncRead + Send + Unpin,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        serve(Connection::open(self.core()?), reader, writer).await
    }

    /// The same for somebody else than this process's own user.
    #[cfg(feature = "testing")]
    pub(crate) async fn serve_io_for<R, W>(
        &self,
        owner: Owner,
        extensions: Extensions,
        reader: R,
        writer: W,
    ) -> Result<(), Error>
    where
        R: AsyncRead + Send + Unpin,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let connection = Connection::of(self.core()?, owner, extensions);
        serve(connection, reader, writer).await
    }
}

async fn serve<R, W>(connection: Connection, mut reader: R, writer: W) -> Result<(), Error>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let writing = write(writer, Arc::clone(&connection.outbox));
    tokio::pin!(writing);
    let read = tokio::select! {
        read = read(&mut reader, &connection) => read,
        written = &mut writing => {
            connection.give_up().await;
            return written.map_err(Error::from);
        }
    };
    let finish = async {
        connection.finish().await;
        connection.outbox.close();
    };
    let ((), written) = tokio::join!(finish, writing);
    read.and(written).map_err(Error::from)
}

async fn read(reader: &mut (impl AsyncRead + Unpin), connection: &Connection) -> io::Result<()> {
    let mut lines = connection.lines();
    let mut chunk = vec![0; CHUNK];
    loop {
        connection.outbox.wait_for_room().await;
        let length = read_some(reader, &mut chunk).await?;
        if length == 0 {
            lines.finish(|line| connection.take_in(&line));
            return Ok(());
        }
        lines.feed(&chunk[..length], |line| connection.take_in(&line));
    }
}

/// Writes until the outbox is closed and empty.
async fn write(mut writer: impl AsyncWrite + Unpin, outbox: Arc<Outbox>) -> io::Result<()> {
    while let Some(chunks) = outbox.take().await {
        for chunk in chunks {
            if let Err(error) = write_all(&mut writer, chunk.as_ref()).await {
                outbox.close();
                return Err(error);
            }
        }
        poll_fn(|cx| Pin::new(&mut writer).poll_flush(cx)).await?;
    }
    poll_fn(|cx| Pin::new(&mut writer).poll_shutdown(cx)).await
}

// What follows is all that is needed of tokio's `io-util`, which costs more to build than the macros of this crate.

/// Reads what there is, up to the buffer's length; 0 at the end.
async fn read_some(reader: &mut (impl AsyncRead + Unpin), buffer: &mut [u8]) -> io::Result<usize> {
    let mut buffer = ReadBuf::new(buffer);
    poll_fn(|cx| Pin::new(&mut *reader).poll_read(cx, &mut buffer)).await?;
    Ok(buffer.filled().len())
}

async fn write_all(writer: &mut (impl AsyncWrite + Unpin), mut bytes: &[u8]) -> io::Result<()> {
    poll_fn(|cx| {
        while !bytes.is_empty() {
            let written = ready!(Pin::new(&mut *writer).poll_write(cx, bytes))?;
            if written == 0 {
                return Err(io::ErrorKind::WriteZero.into()).into();
            }
            bytes = &bytes[written..];
        }
        Ok(()).into()
    })
    .await
}
