//! Polls of one task among few or many that live.

use std::collections::BTreeMap;
use std::io;
use std::time::{Duration, Instant};

use super::client::{self, Client};
use super::contender::{Contender, Programs};
use super::{micros_each, table};
use crate::contest;
use crate::report::{Goal, Section, number};

/// How many tasks live.
const LIVE: [usize; 4] = [100, 1_000, 10_000, 100_000];

/// How long a server may take to make them.
const PATIENCE: Duration = Duration::from_secs(120);

/// Made together, between two looks at the clock.
const BATCH: usize = 100;

/// Coprime to all of these: polls go all over the tasks.
const STRIDE: usize = 7_919;

const CONTENDERS: [Contender; 3] = [Contender::Extension, Contender::Core, Contender::Rmcp];

pub(crate) fn run(samples: usize) -> io::Result<Section> {
    let programs = super::programs()?;
    let (slow, quick): (Vec<_>, Vec<_>) = CONTENDERS
        .into_iter()
        .flat_map(|contender| LIVE.map(|live| (contender, live)))
        .partition(|contest| is_slow(*contest));
    let measure = |(contender, live)| measure(contender, live, &programs);
    let mut cpu = contest::medians(samples, &quick, |contest| {
        measure(contest)?
            .ok_or_else(|| io::Error::other(format!("{contest:?} takes too long to make")))
    })?;
    for contest in slow {
        // Once: if it takes too long, it does so each time.
        cpu.extend(measure(contest)?.map(|cpu| (contest, cpu)));
    }
    let rows = CONTENDERS.map(|contender| {
        let cells = LIVE.map(|live| {
            cpu.get(&(contender, live))
                .map_or_else(|| String::from("not made in time"), |cpu| number(*cpu))
        });
        (contender.name(), cells.into())
    });
    let heads = LIVE.map(|live| format!("{live} live"));
    let body = format!(
        "Microseconds of the server's CPU for one `tasks/get`, the tasks taken from all over those that live; each \
         runs for an hour. The median of {samples} servers; of rmcp with 100,000 tasks one, which is given {} seconds to \
         make them.\n\n{}",
        PATIENCE.as_secs(),
        table(&heads.each_ref().map(String::as_str), rows)
    );
    Ok(Section::new("Polls among many tasks", body, goals(&cpu)))
}

fn goals(cpu: &BTreeMap<(Contender, usize), f64>) -> [Goal; 2] {
    [Contender::Extension, Contender::Core].map(|contender| {
        let what = format!(
            "CPU of a poll with 100,000 live tasks, {}, of that with 1,000",
            contender.name()
        );
        let reached = cpu[&(contender, 100_000)] / cpu[&(contender, 1_000)];
        Goal::at_most(1.5, what, reached)
    })
}

/// Each call walks through all tasks: to make them takes the square of their number.
fn is_slow((contender, live): (Contender, usize)) -> bool {
    contender == Contender::Rmcp && live > 10_000
}

/// `None` if the tasks could not be made in time.
fn measure(contender: Contender, live: usize, programs: &Programs) -> io::Result<Option<f64>> {
    let mut client = Client::start(contender, programs, contender.arguments())?;
    let start = Instant::now();
    let mut ids = Vec::new();
    while ids.len() < live {
        if start.elapsed() > PATIENCE {
            return Ok(None);
        }
        ids.extend(client.create(BATCH, "run", |_| String::new())?);
    }
    let polls = match contender {
        Contender::Rmcp if live > 1_000 => 500,
        _ => 20_000,
    };
    let poll = |client: &mut Client| {
        client.poll(
            polls,
            |index| &ids[index * STRIDE % live],
            |_, answer| client::expect(answer, r#""status":"working""#),
        )
    };
    poll(&mut client)?;
    let (_, cpu) = client::timed(&mut client, poll)?;
    Ok(Some(micros_each(cpu, polls)))
}
