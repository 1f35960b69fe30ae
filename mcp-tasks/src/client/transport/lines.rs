//! One JSON message a line, over any pair of byte streams.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::runtime::Handle;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::{Outgoing, Transport};
use crate::client::router::Router;
use crate::model::BoxFuture;
use crate::wire::Frame;

/// How long a server that is left may take to read what was still to be written to it, and to end.
const GRACE: Duration = Duration::from_secs(5);
/// Bytes read at once.
const BUFFER: usize = 64 * 1024;

pub(in crate::client) struct Lines {
    /// `None` once it is closed.
    out: Mutex<Option<mpsc::UnboundedSender<Frame>>>,
    /// Becomes true, or is dropped, when it is.
    shut: watch::Sender<bool>,
    /// `None` once it is dropped.
    reading: Option<JoinHandle<()>>,
    /// Becomes true when the last line has been written and the stream is closed.
    written: watch::Receiver<bool>,
}

impl Lines {
    pub(in crate::client) fn open<R, W>(reader: R, writer: W, router: Arc<Router>) -> Self
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let end = async { "it closed its output".to_owned() };
        Self::with_end(reader, writer, router, end)
    }

    /// `end` tells why the output ended, once it has.
    pub(super) fn with_end<R, W>(
        reader: R,
        writer: W,
        router: Arc<Router>,
        end: impl Future<Output = String> + Send + 'static,
    ) -> Self
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let (out, frames) = mpsc::unbounded_channel();
        let (done, written) = watch::channel(false);
        let shut = watch::Sender::new(false);
        let shutting = shut.subscribe();
        tokio::spawn(async move {
            tokio::select! {
                // The reader sees the end too, and tells it.
                wrote = write(writer, frames) => tracing::debug!("no longer writing: {wrote:?}"),
                () = too_long_shut(shutting) => tracing::debug!("the server no longer reads"),
            }
            done.send_replace(true);
        });
        let leaving = shut.subscribe();
        let reading = tokio::spawn(async move {
            let why = match read(reader, &router, &leaving).await {
                Ok(()) => end.await,
                Err(error) => error.to_string(),
            };
            router.closed(&why);
        });
        Self {
            out: Mutex::new(Some(out)),
            shut,
            reading: Some(reading),
            written,
        }
    }

    pub(super) fn shut(&self) {
        self.out
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        self.shut.send_replace(true);
    }

    /// Sees when it is shut, or dropped.
    pub(super) fn shutting(&self) -> watch::Receiver<bool> {
        self.shut.subscribe()
    }
}

impl Transport for Lines {
    fn send(&self, message: Outgoing) {
        if let Some(out) = &*self.out.lock().unwrap_or_else(PoisonError::into_inner) {
            // A writer that has ended has a reader beside it that tells of it.
            let _ = out.send(message.body);
        }
    }

    fn close(&self) -> BoxFuture<'static, ()> {
        self.shut();
        let mut written = self.written.clone();
        Box::pin(async move {
            let _ = written.wait_for(|written| *written).await;
        })
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        let Some(mut reading) = self.reading.take() else {
            return;
        };
        // What is queued is still written: a cancellation may be among it. A server that nobody reads of could stop
        // reading before that.
        match Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(async move {
                if timeout(GRACE, &mut reading).await.is_err() {
                    reading.abort();
                }
            })),
            Err(_) => reading.abort(),
        }
    }
}

/// Reads to the end; what comes once this side has shut the connection is for nobody.
async fn read(
    reader: impl AsyncRead + Unpin,
    router: &Arc<Router>,
    leaving: &watch::Receiver<bool>,
) -> io::Result<()> {
    let mut reader = BufReader::with_capacity(BUFFER, reader);
    let mut line = Vec::new();
    let most = router.message_bytes;
    let with_end = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    while (&mut reader)
        .take(with_end)
        .read_until(b'\n', &mut line)
        .await?
        > 0
    {
        if line.len() > most && !line.ends_with(b"\n") {
            return Err(io::Error::other(router.too_long()));
        }
        let left = *leaving.borrow() || leaving.has_changed().is_err();
        if !left && !line.trim_ascii().is_empty() {
            router.receive(&line);
        }
        line.clear();
        // A huge line's memory is not kept for the small ones after it.
        line.shrink_to(BUFFER);
    }
    Ok(())
}

/// Resolves when what was still to be written could have been.
async fn too_long_shut(mut shutting: watch::Receiver<bool>) {
    let _ = shutting.wait_for(|shut| *shut).await;
    tokio::time::sleep(GRACE).await;
}

/// Writes until the channel is closed and empty.
async fn write(
    mut writer: impl AsyncWrite + Unpin,
    mut frames: mpsc::UnboundedReceiver<Frame>,
) -> io::Result<()> {
    while let Some(mut lines) = frames.recv().await {
        lines.push(b'\n');
        while let Ok(more) = frames.try_recv() {
            lines.extend(more);
            lines.push(b'\n');
        }
        writer.write_all(&lines).await?;
        writer.flush().await?;
    }
    writer.shutdown().await
}
