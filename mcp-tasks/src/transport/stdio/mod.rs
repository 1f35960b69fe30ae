//! The process's own standard input and output.

mod input;
mod output;
mod pipes;
#[cfg(test)]
mod tests;
mod turns;

use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;

use self::pipes::Pipes;
use super::connection::Connection;
use crate::model::BoxFuture;
use crate::server::outbox::Outbox;
use crate::server::{Error, Server};

impl Server {
    /// Serves the client at the other end of standard input and output, until its input ends. Then calls get
    /// the `drain` of [`Limits`](crate::Limits) to finish, every accepted request is answered, tasks are
    /// told to stop, and this returns.
    ///
    /// Standard output carries the protocol and nothing else: print to standard error.
    ///
    /// A call runs on the runtime. Once a tool has shown to be quick, its calls begin on the thread that read them, inside
    /// the runtime's context; what has to wait goes on on the runtime, and one that blocks after all holds up no message.
    /// There they are in no task of the runtime's, so that `tokio::task::id` panics; after any panic on its way to where it
    /// first waits, a tool's calls begin on the runtime alone.
    ///
    /// # Errors
    /// What [`check`](Server::check) finds, or an I/O error of standard input or output. A client that is gone
    /// is none.
    pub async fn serve_stdio(self) -> Result<(), Error> {
        self.served_on_stdio().await
    }

    /// In a box, so that it is compiled here: the body of an async function is compiled wherever it is awaited, once for each
    /// scheduler there.
    fn served_on_stdio(self) -> BoxFuture<'static, Result<(), Error>> {
        Box::pin(async move {
            let connection = Connection::open(self.core()?);
            let core = &connection.core;
            warn_of_abort();

            // Threads, not tokio's stdin: a read that waits there would keep the process from ending, and a tool that
            // blocks the runtime would keep messages from being read.
            let pipes = Pipes::new(&connection, io::stdin(), standard_output());
            let read = pipes.read_in_threads()?;
            let mut written = in_thread("mcp-stdout", move || pipes.write())?;
            let result = tokio::select! {
                read = read => ended(read),
                written = &mut written => {
                    connection.give_up().await;
                    core.shut_down().await;
                    return unless_gone(ended(written)).map_err(Error::from);
                }
            };
            core.nobody_answers();
            connection.finish().await;
            core.shut_down().await;
            connection.outbox.close();
            let written = until_read(&mut written, &connection.outbox, core.drain()).await;
            result.and(unless_gone(written)).map_err(Error::from)
        })
    }
}

/// Waits until all is written. A client that keeps its output open and reads none of it for `patience` does not
/// keep the process.
async fn until_read(
    written: &mut oneshot::Receiver<io::Result<()>>,
    outbox: &Outbox,
    patience: Duration,
) -> io::Result<()> {
    loop {
        let before = outbox.passed();
        match tokio::time::timeout(patience, &mut *written).await {
            Ok(result) => return ended(result),
            Err(_) if outbox.passed() == before => {
                tracing::warn!("the client does not read what it was sent");
                return Ok(());
            }
            Err(_) => {}
        }
    }
}

/// A client that no longer reads is gone, which is the end and no error.
fn unless_gone(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

type Ended = Result<io::Result<()>, oneshot::error::RecvError>;

fn in_thread(
    name: &str,
    work: impl FnOnce() -> io::Result<()> + Send + 'static,
) -> io::Result<oneshot::Receiver<io::Result<()>>> {
    let (done, wait) = oneshot::channel();
    thread::Builder::new().name(name.into()).spawn(move || {
        let _ = done.send(work());
    })?;
    Ok(wait)
}

fn ended(result: Ended) -> io::Result<()> {
    result.unwrap_or_else(|_| Err(io::Error::other("the thread panicked")))
}

/// Standard output without its own buffer, which looks through all that it is given for the last end of a line. What
/// is written here is joined already.
fn standard_output() -> Box<dyn Write + Send> {
    #[cfg(unix)]
    if let Ok(output) = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned() {
        return Box::new(std::fs::File::from(output));
    }
    // Consoles of Windows need it, and it does without a standard output that is closed.
    Box::new(io::stdout())
}

/// With `panic = "abort"` a panic in one tool ends every call.
fn warn_of_abort() {
    if cfg!(panic = "abort") {
        tracing::warn!("built with `panic = \"abort\"`: a panic in a tool ends the whole server");
    }
}
