//! A million tasks in one process, ten thousand at a time, for ten minutes.

use std::collections::VecDeque;
use std::io;
use std::thread;
use std::time::{Duration, Instant};

use super::client::Client;
use super::contender::{Contender, Programs};
use super::table;
use crate::report::{Goal, Section, number};
use crate::servers::Package;

/// How long it takes, and the variable that says otherwise.
const SECONDS: u32 = 600;
const SECONDS_VARIABLE: &str = "SOAK_SECONDS";

/// Tasks that are made, and later fetched, together.
const BATCH: usize = 100;

/// Batches that live together.
const BATCHES: usize = 100;

/// From one batch to the next: a million tasks in ten minutes.
const PACE: Duration = Duration::from_millis(60);

/// How long a task takes: a little less than the time until it is fetched.
const NAP: Duration = Duration::from_millis(5_900);

/// By how much memory may differ and still be flat.
const FLAT: f64 = 1.05;

/// What came of it.
struct Soaked {
    made: usize,
    /// Tasks whose own answer did not come.
    lost: usize,
    /// Bytes of memory, every second.
    resident: Vec<u64>,
    cpu: Duration,
    took: Duration,
}

pub(crate) fn run(_: usize) -> io::Result<Section> {
    let seconds = std::env::var(SECONDS_VARIABLE).ok();
    let seconds = seconds.map_or(Ok(SECONDS), |seconds| seconds.parse());
    let seconds =
        seconds.map_err(|error| io::Error::other(format!("{SECONDS_VARIABLE}: {error}")))?;
    let programs = Programs::build(&[Package::McpTasks])?;
    let contenders = [Contender::Extension, Contender::Core];
    let mut rows = Vec::new();
    let mut goals = Vec::new();
    for contender in contenders {
        let soaked = soak(contender, &programs, Duration::from_secs(seconds.into()))?;
        let (first, last) = soaked.peaks();
        rows.push((contender.name(), soaked.cells()));
        let name = contender.name();
        let what = format!("memory of the last quarter of many tasks, {name}, of the first");
        goals.push(Goal::at_most(FLAT, what, last / first));
        let what = format!("tasks lost of many, {name}");
        goals.push(Goal::at_most(0.0, what, count(soaked.lost)));
    }
    let body = format!(
        "Tasks of six seconds, {} at a time; each is fetched and its answer checked. A result is kept for ten seconds. \
         Memory is the resident one, read every second; its peaks in the first and the last quarter of the time.\n\n{}",
        BATCH * BATCHES,
        table(
            &[
                "tasks",
                "lost",
                "seconds",
                "peak in the first quarter, MiB",
                "in the last, MiB",
                "CPU of one, µs"
            ],
            rows
        )
    );
    let mut section = Section::new("Many tasks for long", body, goals);
    section.shortened = seconds < SECONDS;
    Ok(section)
}

#[allow(
    clippy::cast_precision_loss,
    reason = "neither tasks nor bytes reach 2^52"
)]
fn count(of: usize) -> f64 {
    of as f64
}

impl Soaked {
    /// Bytes, in the first and in the last quarter.
    #[allow(clippy::cast_precision_loss, reason = "no machine has 2^52 bytes")]
    fn peaks(&self) -> (f64, f64) {
        let quarter = self.resident.len().div_ceil(4);
        let peak = |part: &[u64]| part.iter().max().copied().unwrap_or_default() as f64;
        let (first, last) = (&self.resident[..quarter], self.resident.len() - quarter);
        (peak(first), peak(&self.resident[last..]))
    }

    fn cells(&self) -> Vec<String> {
        const MIB: f64 = 1024.0 * 1024.0;
        let (first, last) = self.peaks();
        vec![
            self.made.to_string(),
            self.lost.to_string(),
            number(self.took.as_secs_f64()),
            number(first / MIB),
            number(last / MIB),
            number(super::micros_each(self.cpu, self.made)),
        ]
    }
}

/// Tasks that were made together: the number of the first, and their ids.
type Batch = (usize, Vec<String>);

fn soak(contender: Contender, programs: &Programs, lasts: Duration) -> io::Result<Soaked> {
    let mut client = Client::start(contender, programs, contender.arguments())?;
    let start = Instant::now();
    let mut soaked = Soaked {
        made: 0,
        lost: 0,
        resident: Vec::new(),
        cpu: Duration::ZERO,
        took: Duration::ZERO,
    };
    let mut under_way: VecDeque<Batch> = VecDeque::new();
    let mut due = start;
    while start.elapsed() < lasts {
        if under_way.len() == BATCHES
            && let Some(oldest) = under_way.pop_front()
        {
            soaked.lost += fetch(&mut client, &oldest)?;
        }
        let first = soaked.made;
        let millis = NAP.as_millis();
        let ids = client.create(BATCH, "nap", |index| {
            format!(r#""number":{},"millis":{millis}"#, first + index)
        })?;
        under_way.push_back((first, ids));
        soaked.made += BATCH;
        if soaked.resident.len() as u64 <= start.elapsed().as_secs() {
            soaked.resident.push(client.resident()?);
        }
        due += PACE;
        thread::sleep(due.saturating_duration_since(Instant::now()));
    }
    for batch in &under_way {
        soaked.lost += fetch(&mut client, batch)?;
    }
    soaked.cpu = client.cpu()?;
    soaked.took = start.elapsed();
    Ok(soaked)
}

/// How many of the batch did not bring their own answers.
fn fetch(client: &mut Client, (first, ids): &Batch) -> io::Result<usize> {
    let mut waiting: Vec<usize> = (0..ids.len()).collect();
    let mut lost = 0;
    while !waiting.is_empty() {
        let mut left = Vec::new();
        let look = |place: usize, answer: &str| {
            let text = format!(r#""text":"answer {}""#, first + waiting[place]);
            if answer.contains(r#""status":"working""#) {
                left.push(waiting[place]);
            } else if !answer.contains(&text) {
                lost += 1;
            }
            Ok(())
        };
        let id = |place: usize| &*ids[waiting[place]];
        if client.polls_bring_results() {
            client.poll(waiting.len(), id, look)?;
        } else {
            client.results(waiting.len(), id, look)?;
        }
        if !left.is_empty() {
            // They should have ended a moment ago, unless the machine is busy.
            thread::sleep(Duration::from_millis(20));
        }
        waiting = left;
    }
    Ok(lost)
}
