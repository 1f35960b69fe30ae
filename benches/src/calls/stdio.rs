//! Calls over standard input and output.

use std::fmt::Write as _;
use std::io::{self, BufRead as _, Write as _};
use std::path::Path;
use std::sync::{Condvar, Mutex};
use std::thread;

use super::contender::Contender;
use super::message::{Answered, Wire, cell};
use super::{built, micros};
use crate::contest;
use crate::process::{Pipes, Process};
use crate::report::{Goal, Section};
use crate::servers::Package;

/// Calls before those that count.
const WARM_UP: usize = 2_000;
const CALLS: usize = 20_000;
/// The same where they are over soon: a sample should take a few tenths of a second.
const QUICK_CALLS: usize = 100_000;
/// Calls that are open at once where a client does not wait for each; servers limit them.
const WINDOW: usize = 256;
/// Calls that such a client writes at once.
const BATCH: usize = 32;

/// Which of its package's servers that is.
fn mode(contender: Contender) -> &'static str {
    match contender {
        Contender::RmcpBest => "stdio-tuned",
        _ => "stdio",
    }
}

/// How a client paces its calls.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Pace {
    Pipelined,
    /// The next call after the answer to the last.
    PingPong,
}

/// How many tools the servers have. What is compared takes turns, so that both do.
const TOOLS: [usize; 2] = [1, 50];

/// One row of the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Case {
    pace: Pace,
    wire: Wire,
    tools: usize,
}

impl Case {
    fn title(self) -> String {
        let pace = match self.pace {
            Pace::Pipelined => "pipelined",
            Pace::PingPong => "ping-pong",
        };
        let tools = if self.tools == 1 { "tool" } else { "tools" };
        format!("{pace}, {}, {} {tools}", self.wire.revision(), self.tools)
    }
}

pub(crate) fn run(samples: usize) -> io::Result<Section> {
    let programs = built(&[Package::McpTasks, Package::Rmcp, Package::Floor])?;
    let mut body = format!(
        "Microseconds of CPU that the server's process uses per `tools/call`, the median of {samples} samples of {CALLS} calls \
         after {WARM_UP} that do not count, pipelined of {QUICK_CALLS} but for rmcp as documented; in parentheses as a \
         multiple of mcp-tasks. Pipelined: up to {WINDOW} calls are open at once. Ping-pong: one.\n\n\
         | calls | {} |\n|---|{}\n",
        Contender::ALL.map(Contender::title).join(" | "),
        "---|".repeat(Contender::ALL.len())
    );
    let mut goals = Vec::new();
    for pace in [Pace::Pipelined, Pace::PingPong] {
        for wire in Wire::ALL {
            let cases = TOOLS.map(|tools| Case { pace, wire, tools });
            let contenders: Vec<_> = Contender::ALL
                .into_iter()
                .flat_map(|contender| cases.map(|case| (case, contender)))
                .collect();
            let medians = contest::medians(samples, &contenders, |(case, contender)| {
                sample(&programs[&contender.package()], contender, case)
            })?;
            for case in cases {
                let own = medians[&(case, Contender::McpTasks)];
                let cells = Contender::ALL.map(|contender| cell(medians[&(case, contender)], own));
                let _ = writeln!(body, "| {} | {} |", case.title(), cells.join(" | "));
                let of = |contender| own / medians[&(case, contender)];
                goals.extend(own_goals(case, of));
            }
            let [one, many] = cases.map(|case| medians[&(case, Contender::McpTasks)]);
            let what = format!("stdio, {}, of 1 tool", cases[1].title());
            // What samples of the same differ by.
            goals.push(Goal::at_most(1.05, what, many / one));
        }
    }
    Ok(Section::new("Calls over stdio", body, goals))
}

/// What mcp-tasks may cost of each other contender.
fn own_goals(case: Case, of: impl Fn(Contender) -> f64) -> Vec<Goal> {
    let bounds: &[(Contender, f64)] = match case.pace {
        Pace::Pipelined => &[
            (Contender::RmcpDefault, 1.0 / 8.0),
            (Contender::RmcpBest, 1.0 / 2.0),
            (Contender::Floor, 2.5),
        ],
        Pace::PingPong => &[(Contender::RmcpBest, 1.0), (Contender::Floor, 1.3)],
    };
    let goal = |(contender, bound): &(Contender, f64)| {
        let what = format!("stdio, {}, of {}", case.title(), contender.title());
        Goal::at_most(*bound, what, of(*contender))
    };
    bounds.iter().map(goal).collect()
}

/// Microseconds of CPU per call of a fresh server.
fn sample(program: &Path, contender: Contender, case: Case) -> io::Result<f64> {
    let tools = case.tools.to_string();
    let (process, mut pipes) = Process::start(program, &[mode(contender), &tools])?;
    hello(&mut pipes, case.wire)?;
    let calls = match case.pace {
        Pace::Pipelined => pipelined,
        Pace::PingPong => ping_pong,
    };
    calls(&mut pipes, case.wire, WARM_UP)?;
    let count = match (case.pace, contender) {
        (Pace::PingPong, _) | (_, Contender::RmcpDefault) => CALLS,
        _ => QUICK_CALLS,
    };
    let before = process.cpu()?;
    calls(&mut pipes, case.wire, count)?;
    Ok(micros(process.cpu()?.saturating_sub(before), count))
}

fn hello(pipes: &mut Pipes, wire: Wire) -> io::Result<()> {
    for message in wire.hello() {
        pipes.input.write_all(message.as_bytes())?;
        pipes.input.write_all(b"\n")?;
    }
    if !wire.hello().is_empty() {
        let mut answer = String::new();
        pipes.output.read_line(&mut answer)?;
        if !answer.contains(r#""result""#) {
            return Err(io::Error::other(format!("no welcome: {answer}")));
        }
    }
    Ok(())
}

fn ping_pong(pipes: &mut Pipes, wire: Wire, calls: usize) -> io::Result<()> {
    let mut answered = Answered::none_of(0..calls);
    let mut answer = String::new();
    for id in 0..calls {
        let call = wire.call(id) + "\n";
        pipes.input.write_all(call.as_bytes())?;
        answer.clear();
        pipes.output.read_line(&mut answer)?;
        answered.take(&answer)?;
    }
    Ok(())
}

fn pipelined(pipes: &mut Pipes, wire: Wire, calls: usize) -> io::Result<()> {
    let Pipes { input, output } = pipes;
    let window = Window::new();
    thread::scope(|scope| {
        let writing = scope.spawn(|| {
            for first in (0..calls).step_by(BATCH) {
                let ids = first..calls.min(first + BATCH);
                let more = ids.len();
                let lines: String = ids.map(|id| wire.call(id) + "\n").collect();
                if !window.open(more) {
                    break;
                }
                input.write_all(lines.as_bytes())?;
            }
            Ok(())
        });
        let mut answered = Answered::none_of(0..calls);
        let mut answer = String::new();
        let read = (0..calls).try_for_each(|_| {
            answer.clear();
            output.read_line(&mut answer)?;
            answered.take(&answer)?;
            window.close();
            Ok(())
        });
        if read.is_err() {
            window.give_up();
        }
        let written = writing.join().expect("nothing panics there");
        read.and(written)
    })
}

/// How many calls are open; nothing once no answer is read any more.
struct Window {
    open: Mutex<Option<usize>>,
    closed: Condvar,
}

impl Window {
    fn new() -> Self {
        Self {
            open: Mutex::new(Some(0)),
            closed: Condvar::new(),
        }
    }

    /// Waits until so many more may be. `false` if none may ever be.
    fn open(&self, calls: usize) -> bool {
        let open = self.open.lock().expect(UNPOISONED);
        let full = |open: &mut Option<usize>| open.is_some_and(|open| open + calls > WINDOW);
        let mut open = self.closed.wait_while(open, full).expect(UNPOISONED);
        *open = open.map(|open| open + calls);
        open.is_some()
    }

    fn close(&self) {
        let mut open = self.open.lock().expect(UNPOISONED);
        *open = open.map(|open| open - 1);
        if open.is_some_and(|open| open + BATCH <= WINDOW) {
            self.closed.notify_one();
        }
    }

    fn give_up(&self) {
        *self.open.lock().expect(UNPOISONED) = None;
        self.closed.notify_one();
    }
}

const UNPOISONED: &str = "nothing panics while it holds the lock";
