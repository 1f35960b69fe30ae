//! What a task holds while it waits, while it runs, and once it has ended.

use std::io;

use super::client::Client;
use super::contender::{Contender, Programs};
use super::{lower, table};
use crate::contest;
use crate::report::{Goal, Section, number};

/// Tasks that are there already, and as many that are weighed. What rmcp takes to make them grows with their square.
const TASKS: u32 = 5_000;

/// Bytes of an ended task's result.
const RESULT: f64 = 1024.0;

/// What a task may weigh beside its result, in bytes.
const FIXED: f64 = 4096.0;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Parked,
    Running,
    Finished,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Parked, Self::Running, Self::Finished];

    fn name(self) -> &'static str {
        match self {
            Self::Parked => "parked",
            Self::Running => "running",
            Self::Finished => "finished, with 1 KiB",
        }
    }

    /// The tool, its arguments, and the status that its tasks stay in.
    fn call(self) -> (&'static str, String, &'static str) {
        match self {
            Self::Parked => ("ask", String::new(), "input_required"),
            Self::Running => ("run", String::new(), "working"),
            Self::Finished => ("text", format!(r#""bytes":{RESULT}"#), "completed"),
        }
    }

    /// What it holds of its own.
    fn content(self) -> f64 {
        if self == Self::Finished { RESULT } else { 0.0 }
    }
}

pub(crate) fn run(samples: usize) -> io::Result<Section> {
    let programs = super::programs()?;
    let contenders: Vec<_> = Kind::ALL
        .into_iter()
        .flat_map(|kind| Contender::SERVERS.map(|contender| (kind, contender)))
        .collect();
    let bytes = contest::medians(samples, &contenders, |(kind, contender)| {
        measure(kind, contender, &programs)
    })?;
    let rows = Contender::SERVERS.map(|contender| {
        let cells = Kind::ALL.map(|kind| number(bytes[&(kind, contender)]));
        (contender.name(), cells.into())
    });
    let mut goals = Vec::new();
    for kind in Kind::ALL {
        let rmcp = lower(
            bytes[&(kind, Contender::Rmcp)],
            bytes[&(kind, Contender::RmcpTuned)],
        );
        for contender in [Contender::Extension, Contender::Core] {
            let bytes = bytes[&(kind, contender)];
            let task = format!("memory of a task, {}, {}", kind.name(), contender.name());
            goals.push(Goal::at_most(
                FIXED,
                format!("{task}: bytes beside its result"),
                bytes - kind.content(),
            ));
            // The goal was set for those two; of one that runs, the most is its body's.
            if kind != Kind::Running {
                goals.push(Goal::at_most(
                    0.5,
                    format!("{task}: of the better rmcp's"),
                    bytes / rmcp,
                ));
            }
        }
    }
    let body = format!(
        "By how much the server's resident memory grows from {TASKS} tasks to twice as many, for each of them, in \
         bytes, once it has stayed the same for a second. That leaves out what the first tasks set up, and has every \
         table grow exactly once. The median of {samples} servers.\n\n{}",
        table(&Kind::ALL.map(Kind::name), rows)
    );
    Ok(Section::new("The memory of a task", body, goals))
}

#[allow(clippy::cast_precision_loss, reason = "no machine has 2^52 bytes")]
fn measure(kind: Kind, contender: Contender, programs: &Programs) -> io::Result<f64> {
    let mut client = Client::start(contender, programs, contender.arguments())?;
    make(&mut client, kind)?;
    let before = client.settled()?;
    make(&mut client, kind)?;
    let after = client.settled()?;
    Ok((after as f64 - before as f64) / f64::from(TASKS))
}

fn make(client: &mut Client, kind: Kind) -> io::Result<()> {
    let (tool, arguments, status) = kind.call();
    let ids = client.create(TASKS as usize, tool, |_| arguments.clone())?;
    client.until(&ids, status)?;
    Ok(())
}
