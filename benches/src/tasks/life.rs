//! The whole life of small tasks: made, polled to the end, fetched.

use std::io;

use super::client::{self, Client};
use super::contender::{Contender, Programs};
use super::{lower, micros_each, table};
use crate::contest;
use crate::report::{Goal, Section, number};

/// Tasks before the clock runs, and while it does. They stay few, since rmcp walks through all that it keeps.
const WARM_UP: usize = 200;
const TASKS: usize = 1_000;

/// Tasks that live together.
const TOGETHER: usize = 100;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Figure {
    /// Microseconds from end to end.
    Time,
    /// Microseconds of the server's CPU.
    Cpu,
}

pub(crate) fn run(samples: usize) -> io::Result<Section> {
    let programs = super::programs()?;
    let contenders: Vec<_> = [Figure::Time, Figure::Cpu]
        .into_iter()
        .flat_map(|figure| Contender::SERVERS.map(|contender| (figure, contender)))
        .collect();
    let each = contest::medians(samples, &contenders, |(figure, contender)| {
        measure(figure, contender, &programs)
    })?;
    let per_second = |contender| 1e6 / each[&(Figure::Time, contender)];
    let cpu = |contender| each[&(Figure::Cpu, contender)];
    let rmcp_per_second = -lower(
        -per_second(Contender::Rmcp),
        -per_second(Contender::RmcpTuned),
    );
    let rows = Contender::SERVERS.map(|contender| {
        let cells = vec![number(per_second(contender)), number(cpu(contender))];
        (contender.name(), cells)
    });
    let ours = [Contender::Extension, Contender::Core];
    let goals = ours.map(|contender| {
        let what = format!(
            "tasks a second from making to fetching, {}, of the better rmcp's",
            contender.name()
        );
        Goal::at_least(3.0, what, per_second(contender) / rmcp_per_second)
    });
    let body = format!(
        "{TASKS} tasks that answer after one turn of the others, {TOGETHER} at a time: made, polled until they have \
         ended, and their results fetched and checked. The median of {samples} servers each; microseconds of the \
         server's CPU. Client and server share the machine.\n\n{}",
        table(&["tasks a second", "CPU of one, µs"], rows)
    );
    Ok(Section::new("The life of a task", body, goals))
}

fn measure(figure: Figure, contender: Contender, programs: &Programs) -> io::Result<f64> {
    let mut client = Client::start(contender, programs, contender.arguments())?;
    live(&mut client, WARM_UP)?;
    let (time, cpu) = client::timed(&mut client, |client| live(client, TASKS))?;
    let spent = match figure {
        Figure::Time => time,
        Figure::Cpu => cpu,
    };
    Ok(micros_each(spent, TASKS))
}

fn live(client: &mut Client, tasks: usize) -> io::Result<()> {
    for start in (0..tasks).step_by(TOGETHER) {
        let ids = client.create(TOGETHER, "number", |index| {
            format!(r#""number":{}"#, start + index)
        })?;
        let check = |index, answer: &str| {
            let text = format!(r#""text":"answer {}""#, start + index);
            client::expect(answer, &text)
        };
        if client.polls_bring_results() {
            fetch(client, &ids, check)?;
        } else {
            client.until(&ids, "completed")?;
            client.results(TOGETHER, |index| &ids[index], check)?;
        }
    }
    Ok(())
}

/// Polls until all have ended, and checks what the last poll of each brings.
fn fetch(
    client: &mut Client,
    ids: &[String],
    check: impl Fn(usize, &str) -> io::Result<()>,
) -> io::Result<()> {
    let mut waiting: Vec<usize> = (0..ids.len()).collect();
    while !waiting.is_empty() {
        let mut left = Vec::new();
        client.poll(
            waiting.len(),
            |index| &ids[waiting[index]],
            |index, answer| {
                if answer.contains(r#""status":"completed""#) {
                    check(waiting[index], answer)
                } else {
                    left.push(waiting[index]);
                    Ok(())
                }
            },
        )?;
        waiting = left;
    }
    Ok(())
}
