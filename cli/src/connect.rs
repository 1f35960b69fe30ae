//! From the options to a server that answers.

use std::io::{self, BufRead, BufReader, PipeReader, Read};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use mcp_tasks::client::{Client, Endpoint, HttpEndpoint};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::exit::Failure;
use crate::options::ServerOptions;
use crate::questions::Asking;
use crate::screen::Screen;

/// How much of a line of the server's standard error is shown at once.
const LINE: u64 = 4096;
/// How long a command may take before it answers: one that builds its server first takes minutes, and Ctrl-C ends the wait.
const START: Duration = Duration::from_secs(600);
/// How long the last lines of a server that has ended are waited for: something it started may hold the pipe.
const LAST_LINES: Duration = Duration::from_millis(500);

/// A server, and what it writes to standard error.
pub(crate) struct Link {
    options: Arc<ServerOptions>,
    screen: Arc<Screen>,
    last_line: Option<oneshot::Receiver<()>>,
}

impl Link {
    pub(crate) fn new(options: Arc<ServerOptions>, screen: Arc<Screen>) -> Self {
        Self {
            options,
            screen,
            last_line: None,
        }
    }

    /// Connects to the server; its questions go to `asking`, without which it is told that there is nobody to ask.
    pub(crate) async fn connect(
        &mut self,
        asking: Option<&Arc<Asking>>,
    ) -> Result<Client, Failure> {
        let options = Arc::clone(&self.options);
        let mut client = Client::builder()
            .name("mcp-tasks", env!("CARGO_PKG_VERSION"))
            .tasks(!options.no_tasks);
        if let Some(wire) = options.wire {
            client = client.wire(wire);
        }
        if options.place.url.is_none() {
            client = client.handshake_timeout(START);
        }
        if let Some(level) = options.log {
            let screen = Arc::clone(&self.screen);
            client = client.on_log(level, move |message| screen.log(&message));
        }
        if let Some(asking) = asking {
            let (forms, pages) = (Arc::clone(asking), Arc::clone(asking));
            client = client
                .on_form(move |question| Arc::clone(&forms).form(question))
                .on_url(move |question| Arc::clone(&pages).page(question));
        }
        let endpoint = self.endpoint()?;
        self.screen.begin("connecting");
        let connected = client.connect(endpoint).await;
        self.screen.end();
        Ok(connected?)
    }

    fn endpoint(&mut self) -> Result<Endpoint, Failure> {
        let options = &self.options;
        match &options.place.url {
            Some(url) => {
                let endpoint = HttpEndpoint::new(url);
                let headers = options.header.iter();
                let endpoint = headers.fold(endpoint, |to, (name, value)| to.header(name, value));
                Ok(match options.token() {
                    Some(token) => endpoint.bearer(token).into(),
                    None => endpoint.into(),
                })
            }
            None => self.command(),
        }
    }

    fn command(&mut self) -> Result<Endpoint, Failure> {
        let [program, arguments @ ..] = &self.options.place.command[..] else {
            return Err(Failure::usage("there is no command after `--`"));
        };
        let no_pipe = |error: io::Error| Failure::server(format!("no pipe could be made: {error}"));
        let (lines, pipe) = io::pipe().map_err(no_pipe)?;
        let mut command = Command::new(program);
        command.args(arguments).stderr(Stdio::from(pipe));
        // A Ctrl-C in the terminal goes to a whole group of processes. The server is told of it by this program.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let (end, ended) = oneshot::channel();
        let screen = Arc::clone(&self.screen);
        std::thread::spawn(move || {
            show(lines, &screen);
            let _ = end.send(());
        });
        self.last_line = Some(ended);
        Ok(command.into())
    }

    /// Waits until everything has been shown that a server wrote which has ended.
    pub(crate) async fn last_line(&mut self) {
        if let Some(ended) = self.last_line.take() {
            let _ = timeout(LAST_LINES, ended).await;
        }
    }
}

/// Shows each line, until nobody can write one any more.
fn show(lines: PipeReader, screen: &Screen) {
    let mut lines = BufReader::new(lines);
    let mut line = Vec::new();
    while let Ok(1..) = lines.by_ref().take(LINE).read_until(b'\n', &mut line) {
        screen.server_line(String::from_utf8_lossy(&line).trim_end());
        line.clear();
    }
}
