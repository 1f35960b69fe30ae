//! Calls over HTTP.

mod client;

use std::fmt::Write as _;
use std::io;
use std::net::TcpListener;
use std::ops::Range;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use self::client::Client;
use super::contender::Contender;
use super::message::{Answered, Wire, cell};
use super::{built, micros};
use crate::contest;
use crate::process::Process;
use crate::report::{Goal, Section};
use crate::servers::Package;

/// Calls before those that count.
const WARM_UP: usize = 2_000;
const CALLS: usize = 20_000;
/// How long either may take: a server whose packets wait for each other answers twenty calls a second.
const PATIENCE: Duration = Duration::from_secs(4);

/// Which of its package's servers that is.
fn mode(contender: Contender) -> &'static str {
    match contender {
        Contender::RmcpBest => "http-json",
        _ => "http",
    }
}

/// One row of the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Case {
    wire: Wire,
    /// Each has one call open at a time.
    connections: usize,
}

impl Case {
    fn all() -> Vec<Self> {
        let cases = |connections| Wire::ALL.map(|wire| Self { wire, connections });
        [1, 8].into_iter().flat_map(cases).collect()
    }

    fn title(self) -> String {
        let connections = match self.connections {
            1 => String::from("one connection"),
            more => format!("{more} connections"),
        };
        format!("{connections}, {}", self.wire.revision())
    }
}

pub(crate) fn run(samples: usize) -> io::Result<Section> {
    let programs = built(&[Package::McpTasks, Package::Rmcp, Package::Floor])?;
    let mut body = format!(
        "Microseconds of CPU that the server's process uses per `tools/call` over HTTP, connections kept open, the median of \
         {samples} samples of {CALLS} calls, or of those that are answered in {} seconds, after {WARM_UP} that do not count; in \
         parentheses as a multiple of mcp-tasks. All run on tokio's multi-threaded runtime. rmcp as documented answers with a stream of events, and on 2025-11-25 within \
         a session.\n\n| calls | {} |\n|---|{}\n",
        PATIENCE.as_secs(),
        Contender::ALL.map(Contender::title).join(" | "),
        "---|".repeat(Contender::ALL.len())
    );
    let mut goals = Vec::new();
    for case in Case::all() {
        let medians = contest::medians(samples, &Contender::ALL, |contender| {
            sample(&programs[&contender.package()], contender, case)
        })?;
        let own = medians[&Contender::McpTasks];
        let cells = Contender::ALL.map(|contender| cell(medians[&contender], own));
        let _ = writeln!(body, "| {} | {} |", case.title(), cells.join(" | "));
        let best = medians[&Contender::RmcpDefault].min(medians[&Contender::RmcpBest]);
        goals.extend([
            Goal::at_most(
                1.5,
                format!("HTTP, {}, of floor", case.title()),
                own / medians[&Contender::Floor],
            ),
            Goal::at_most(
                1.0,
                format!("HTTP, {}, of the better rmcp", case.title()),
                own / best,
            ),
        ]);
    }
    Ok(Section::new("Calls over HTTP", body, goals))
}

/// Microseconds of CPU per call of a fresh server.
fn sample(program: &Path, contender: Contender, case: Case) -> io::Result<f64> {
    let address = free_address()?;
    let (process, _pipes) = Process::start(program, &[mode(contender), &address])?;
    let mut first = Client::connect(&address, case.wire)?;
    first.hello()?;
    let mut clients = vec![first];
    for _ in 1..case.connections {
        let more = clients[0].another()?;
        clients.push(more);
    }
    each_calls(&mut clients, WARM_UP)?;
    let before = process.cpu()?;
    let calls = each_calls(&mut clients, CALLS)?;
    Ok(micros(process.cpu()?.saturating_sub(before), calls))
}

/// An address of this machine that nobody else has at the moment.
fn free_address() -> io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    Ok(listener.local_addr()?.to_string())
}

/// All clients at once make their share of the calls, while there is time. Gives how many that were.
fn each_calls(clients: &mut [Client], calls: usize) -> io::Result<usize> {
    let share = calls / clients.len();
    thread::scope(|scope| {
        // Of one session, no two requests that are open may have the same id.
        let firsts = (0..).step_by(share);
        let calling = |(client, first)| scope.spawn(move || calls_of(client, first..first + share));
        let threads: Vec<_> = clients.iter_mut().zip(firsts).map(calling).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("nothing panics there"))
            .sum()
    })
}

/// Gives how many of the calls there was time for.
fn calls_of(client: &mut Client, ids: Range<usize>) -> io::Result<usize> {
    let mut answered = Answered::none_of(ids.clone());
    let end = Instant::now() + PATIENCE;
    for (made, id) in ids.clone().enumerate() {
        if Instant::now() > end {
            return Ok(made);
        }
        answered.take(client.call(id)?)?;
    }
    Ok(ids.len())
}
