//! A server with many tasks of which none has anything to do.

use std::io;
use std::thread;
use std::time::Duration;

use super::client::{self, Client};
use super::contender::{Contender, Programs};
use super::table;
use crate::report::{Goal, Section, number};
use crate::servers::Package;

const TASKS: usize = 10_000;

const IDLE: Duration = Duration::from_secs(60);

pub(crate) fn run(_: usize) -> io::Result<Section> {
    let programs = Programs::build(&[Package::McpTasks])?;
    let mut rows = Vec::new();
    let mut goals = Vec::new();
    for contender in [Contender::Extension, Contender::Core] {
        let percent = measure(contender, &programs)?;
        rows.push((contender.name(), vec![number(percent)]));
        let what = format!("% of CPU with {TASKS} parked tasks, {}", contender.name());
        goals.push(Goal::at_most(0.1, what, percent));
    }
    let body = format!(
        "{TASKS} tasks wait for answers, and nobody polls them for {} seconds: the server's CPU time of that.\n\n{}",
        IDLE.as_secs(),
        table(&["CPU, %"], rows)
    );
    Ok(Section::new("A server at rest", body, goals))
}

fn measure(contender: Contender, programs: &Programs) -> io::Result<f64> {
    let mut client = Client::start(contender, programs, contender.arguments())?;
    let ids = client.create(TASKS, "ask", |_| String::new())?;
    client.until(&ids, "input_required")?;
    let (_, cpu) = client::timed(&mut client, |_| {
        thread::sleep(IDLE);
        Ok(())
    })?;
    Ok(cpu.as_secs_f64() / IDLE.as_secs_f64() * 100.0)
}
