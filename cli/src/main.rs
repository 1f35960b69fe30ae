//! `mcp-tasks`: lists, calls and follows the tools of any MCP server.
//!
//! Results go to standard output, everything else to standard error. What a server says is cleaned before either gets
//! it.

mod arguments;
mod call;
mod clean;
mod connect;
mod detach;
mod exit;
mod interrupt;
mod json;
mod options;
mod questions;
mod render;
mod schema;
mod screen;
mod task;
mod terminal;
mod tools;
mod warnings;
mod wire;
mod work;

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;

use self::call::Following;
use self::connect::Link;
use self::exit::{Code, Failure};
use self::interrupt::Stop;
use self::options::Options;
use self::questions::Asking;
use self::screen::Screen;
use self::work::{Job, Outcome};

#[tokio::main]
async fn main() -> ExitCode {
    let found = terminal::Found::note();
    let job = Job::from(Options::parse().command);
    let screen = Screen::new(job.server.status);
    warnings::tell(&screen);
    let code = match run(job, &screen).await {
        Ok(code) => code,
        Err(failure) => {
            screen.error(&failure.event(), &format!("mcp-tasks: {failure}"));
            failure.code
        }
    };
    if screen.is_paused() {
        found.restore();
    }
    ExitCode::from(code as u8)
}

async fn run(job: Job, screen: &Arc<Screen>) -> Result<Code, Failure> {
    job.must_be_possible()?;
    let no_signals =
        |error: io::Error| Failure::server(format!("no signals can be caught: {error}"));
    let mut stop = Stop::new().map_err(no_signals)?;
    stop.within(job.timeout);
    let leaves_task = job.leaves_task();
    let asking = job
        .questions
        .map(|options| Asking::new(&options, leaves_task, screen))
        .transpose()?;
    let mut link = Link::new(Arc::clone(&job.server), Arc::clone(screen));
    let outcome = match stop.or(link.connect(asking.as_ref())).await {
        Ok(client) => {
            let following = Following {
                stop: &mut stop,
                screen,
                server: &job.server,
            };
            let outcome = job.work.perform(&client, following).await;
            stop.within(None);
            tokio::select! {
                () = client.close() => {}
                // A server that does not end is waited for no longer than the user likes.
                _ = stop.wished() => {}
            }
            outcome
        }
        Err(failure) => Err(failure),
    };
    link.last_line().await;
    if let Some(asking) = &asking {
        asking.tell_unused();
    }
    screen.end();
    print(&outcome?, job.server.json)
}

/// Puts what there is on standard output.
fn print(outcome: &Outcome, as_json: bool) -> Result<Code, Failure> {
    let (text, code) = match outcome {
        Outcome::Result(result) => {
            let text = if as_json {
                json::line(result.json())
            } else {
                render::result(result)
            };
            (
                text,
                if result.is_error() {
                    Code::ErrorResult
                } else {
                    Code::Result
                },
            )
        }
        // The id alone, for a script that comes back to it.
        Outcome::Left(task) => (
            if as_json {
                json::line(task.json())
            } else {
                clean::line(task.id.as_str())
            },
            Code::Result,
        ),
        Outcome::Shown(json, words) => (
            if as_json {
                json::line(json)
            } else {
                words.clone()
            },
            Code::Result,
        ),
    };
    let mut stdout = io::stdout().lock();
    let written = if text.is_empty() {
        Ok(())
    } else {
        writeln!(stdout, "{text}")
    };
    match written.and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::server(format!(
            "the result cannot be written: {error}"
        ))),
        _ => Ok(code),
    }
}
