//! Polls of an ended task whose result is large.

use std::io;

use super::client::{self, Client};
use super::contender::{Contender, Programs};
use super::table;
use crate::contest;
use crate::report::{Goal, Section, number};
use crate::servers::Package;

/// Bytes of the result.
const BYTES: usize = 10_000_000;

const POLLS: u32 = 1_000;

/// Bytes of an answer beside the result's text, at most.
const AROUND: usize = 1_000;

const CONTENDERS: [Contender; 4] = [
    Contender::Extension,
    Contender::Core,
    Contender::Rmcp,
    Contender::Floor,
];

pub(crate) fn run(samples: usize) -> io::Result<Section> {
    let programs = Programs::build(&[Package::McpTasks, Package::Rmcp, Package::Floor])?;
    let cpu = contest::medians(samples, &CONTENDERS, |contender| {
        measure(contender, &programs)
    })?;
    let rows = CONTENDERS.map(|contender| (contender.name(), vec![number(cpu[&contender])]));
    let goals = [Contender::Extension, Contender::Core].map(|contender| {
        let what = format!(
            "CPU of a poll that brings 10 MB, {}, of writing them",
            contender.name()
        );
        Goal::at_most(1.2, what, cpu[&contender] / cpu[&Contender::Floor])
    });
    let body = format!(
        "Milliseconds of the server's CPU for one poll of a finished task that brings a result of 10 MB, of {POLLS} \
         polls one after the other: `tasks/get`, of 2025-11-25 `tasks/result`. The floor writes as many bytes, which \
         it made once. The median of {samples} servers.\n\n{}",
        table(&["CPU of one poll, ms"], rows)
    );
    Ok(Section::new("A large result", body, goals))
}

fn measure(contender: Contender, programs: &Programs) -> io::Result<f64> {
    let bytes = BYTES.to_string();
    let is_floor = contender == Contender::Floor;
    let arguments: &[&str] = if is_floor { &[&bytes] } else { &[] };
    let mut client = Client::start(contender, programs, arguments)?;
    let mut id = String::from("none");
    if !is_floor {
        let ids = client.create(1, "text", |_| format!(r#""bytes":{bytes}"#))?;
        client.until(&ids, "completed")?;
        ids[0].clone_into(&mut id);
    }
    poll(&mut client, &id, |answer| {
        let text = client::member(answer, "text")?;
        if text.len() == BYTES && text.bytes().all(|byte| byte == b'x') {
            Ok(())
        } else {
            Err(io::Error::other("not the whole result"))
        }
    })?;
    let (_, cpu) = client::timed(&mut client, |client| {
        (0..POLLS).try_for_each(|_| poll(client, &id, whole))
    })?;
    Ok(cpu.as_secs_f64() * 1e3 / f64::from(POLLS))
}

fn poll(client: &mut Client, id: &str, check: impl Fn(&str) -> io::Result<()>) -> io::Result<()> {
    let check = |_, answer: &str| check(answer);
    if client.polls_bring_results() {
        client.poll(1, |_| id, check)
    } else {
        client.results(1, |_| id, check)
    }
}

fn whole(answer: &str) -> io::Result<()> {
    if (BYTES..BYTES + AROUND).contains(&answer.len()) && answer.ends_with("}\n") {
        Ok(())
    } else {
        Err(client::unexpected(answer))
    }
}
