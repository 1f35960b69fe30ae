//! A body that tells of its progress without a pause.

use std::io;
use std::thread;
use std::time::Duration;

use super::client::{self, Client, Told};
use super::contender::{Contender, Programs};
use super::table;
use crate::contest;
use crate::report::{Goal, Section, number};
use crate::servers::Package;

/// How often the body calls `progress`.
const TIMES: u32 = 1_000_000;

/// Notifications that may leave at once after a rest.
const BURST: f64 = 10.0;

/// How long the flood lasts of which is counted what leaves.
const FLOOD: Duration = Duration::from_secs(5);

/// What the call is, and hears.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Way {
    /// A task of the extension: its status message.
    Extension,
    /// A task of 2025-11-25: progress notifications and the status message.
    Core,
    /// No task: progress notifications.
    Inline,
}

impl Way {
    const ALL: [Self; 3] = [Self::Extension, Self::Core, Self::Inline];

    fn name(self) -> &'static str {
        match self {
            Self::Extension => "a task of 2026-07-28",
            Self::Core => "a task of 2025-11-25",
            Self::Inline => "no task, 2026-07-28",
        }
    }

    fn start(self, programs: &Programs) -> io::Result<Client> {
        let contender = match self {
            Self::Core => Contender::Core,
            Self::Extension | Self::Inline => Contender::Extension,
        };
        Client::start(contender, programs, contender.arguments())
    }

    /// Calls the tool, which takes `about` as long, to its end.
    fn call(
        self,
        client: &mut Client,
        tool: &str,
        arguments: &str,
        about: Duration,
    ) -> io::Result<()> {
        if self == Self::Inline {
            let text = client.call(tool, arguments)?;
            return client::expect(&text, "counted ");
        }
        let ids = client.create(1, tool, |_| arguments.to_owned())?;
        let counted = |_, answer: &str| client::expect(answer, r#""text":"counted "#);
        if self == Self::Core {
            return client.results(1, |_| &ids[0], counted);
        }
        // So that the figure is not one of polls.
        thread::sleep(about);
        client.until(&ids, "completed")?;
        client.poll(1, |_| &ids[0], counted)
    }
}

pub(crate) fn run(samples: usize) -> io::Result<Section> {
    let programs = Programs::build(&[Package::McpTasks])?;
    let nanos = contest::medians(samples, &Way::ALL, |way| cpu(way, &programs))?;
    let mut rows = Vec::new();
    let mut goals = Vec::new();
    for way in Way::ALL {
        let told = flood(way, &programs)?;
        let per_second = |told: u32| (f64::from(told) - BURST).max(0.0) / FLOOD.as_secs_f64();
        rows.push((
            way.name(),
            vec![
                number(nanos[&way]),
                number(per_second(told.progress)),
                number(f64::from(told.status) / FLOOD.as_secs_f64()),
            ],
        ));
        let what = format!("nanoseconds of a call of `progress`, {}", way.name());
        goals.push(Goal::at_most(100.0, what, nanos[&way]));
        let what = format!("progress notifications a second, {}", way.name());
        goals.push(Goal::at_most(10.0, what, per_second(told.progress)));
    }
    let body = format!(
        "A body calls `progress` {TIMES} times in a row: nanoseconds of the server's CPU from the call of the tool to \
         its result, for each call of `progress`; the median of {samples} servers. Then it does so for {} seconds, and \
         what leaves meanwhile is counted on the wire, the first {BURST} progress notifications left out.\n\n{}",
        FLOOD.as_secs(),
        table(
            &[
                "CPU of one call, ns",
                "progress notifications a second",
                "status notifications a second"
            ],
            rows
        )
    );
    Ok(Section::new("A flood of progress", body, goals))
}

fn cpu(way: Way, programs: &Programs) -> io::Result<f64> {
    let mut client = way.start(programs)?;
    let count = |client: &mut Client, times: u32, about| {
        let arguments = format!(r#""times":{times}"#);
        way.call(client, "count", &arguments, about)
    };
    count(&mut client, 1_000, Duration::from_millis(100))?;
    let (_, cpu) = client::timed(&mut client, |client| {
        count(client, TIMES, Duration::from_secs(1))
    })?;
    Ok(cpu.as_secs_f64() * 1e9 / f64::from(TIMES))
}

fn flood(way: Way, programs: &Programs) -> io::Result<Told> {
    let mut client = way.start(programs)?;
    let arguments = format!(r#""seconds":{}"#, FLOOD.as_secs());
    way.call(&mut client, "flood", &arguments, FLOOD)?;
    Ok(client.told)
}
