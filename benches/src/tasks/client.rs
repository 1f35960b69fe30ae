//! The client that drives a server of tasks: it writes requests by the hundred, reads the answers as they come, and
//! looks no closer at them than it must to know that each is the right one.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write as _};
use std::thread;
use std::time::{Duration, Instant};

use super::contender::{Contender, Programs, Wire};
use crate::process::{Pipes, Process};

/// Requests that are under way together; with them no pipe is ever full.
const WAVE: usize = 100;

/// How long a server's memory must stay the same to have settled, in tenths of a second.
const SETTLED: usize = 10;

/// `_meta` of a request of 2026-07-28, whose client knows tasks and can be asked.
const META: &str = concat!(
    r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
    r#""io.modelcontextprotocol/clientInfo":{"name":"bench","version":"0"},"#,
    r#""io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}},"#,
    r#""extensions":{"io.modelcontextprotocol/tasks":{}}}}"#
);

/// The same of a client without tasks that wants to hear of progress.
const INLINE_META: &str = concat!(
    r#""_meta":{"progressToken":"p","io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
    r#""io.modelcontextprotocol/clientInfo":{"name":"bench","version":"0"},"#,
    r#""io.modelcontextprotocol/clientCapabilities":{}}"#
);

const INITIALIZE: &str = concat!(
    r#"{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","#,
    r#""capabilities":{"elicitation":{"form":{}}},"clientInfo":{"name":"bench","version":"0"}}}"#
);

const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// A connection to a server that was started for it.
pub(super) struct Client {
    process: Process,
    pipes: Pipes,
    wire: Wire,
    /// The id of the next request.
    next: usize,
    line: String,
    /// What came beside answers.
    pub(super) told: Told,
}

/// Notifications, counted.
#[derive(Clone, Copy, Default)]
pub(super) struct Told {
    pub(super) progress: u32,
    pub(super) status: u32,
}

impl Client {
    pub(super) fn start(
        contender: Contender,
        programs: &Programs,
        arguments: &[&str],
    ) -> io::Result<Self> {
        let (process, pipes) = Process::start(programs.of(contender), arguments)?;
        let mut client = Self {
            process,
            pipes,
            wire: contender.wire(),
            next: 0,
            line: String::new(),
            told: Told::default(),
        };
        if client.wire == Wire::Core {
            client.write(&format!("{INITIALIZE}\n{INITIALIZED}\n"))?;
            client.read()?;
            expect(&client.line, r#""protocolVersion":"2025-11-25""#)?;
        }
        Ok(client)
    }

    /// CPU time of the server.
    pub(super) fn cpu(&self) -> io::Result<Duration> {
        self.process.cpu()
    }

    /// The server's memory of this moment, in bytes.
    pub(super) fn resident(&self) -> io::Result<u64> {
        self.process.resident()
    }

    /// The server's memory once it has stayed the same for a second.
    pub(super) fn settled(&self) -> io::Result<u64> {
        let mut last = self.resident()?;
        let mut same = 0;
        while same < SETTLED {
            thread::sleep(Duration::from_millis(100));
            let now = self.resident()?;
            same = if now == last { same + 1 } else { 0 };
            last = now;
        }
        Ok(last)
    }

    /// Calls a tool as so many tasks; `arguments` gives the members of each call's `arguments`. The tasks' ids.
    pub(super) fn create(
        &mut self,
        count: usize,
        tool: &str,
        arguments: impl Fn(usize) -> String,
    ) -> io::Result<Vec<String>> {
        let tail = match self.wire {
            Wire::Extension => META,
            Wire::Core => r#""task":{},"_meta":{"progressToken":"p"}"#,
        };
        let mut ids = vec![String::new(); count];
        self.exchange(
            count,
            |out, index| {
                let arguments = arguments(index);
                let _ = write!(
                    out,
                    r#""method":"tools/call","params":{{"name":"{tool}","arguments":{{{arguments}}},{tail}}}"#
                );
            },
            |index, answer| {
                member(answer, "taskId")?.clone_into(&mut ids[index]);
                Ok(())
            },
        )?;
        Ok(ids)
    }

    /// Polls each of the tasks once; `each` is to look whether the answer is an error.
    pub(super) fn poll<'a>(
        &mut self,
        count: usize,
        id: impl Fn(usize) -> &'a str,
        each: impl FnMut(usize, &str) -> io::Result<()>,
    ) -> io::Result<()> {
        self.about("tasks/get", count, id, each)
    }

    /// The results of ended tasks, where a poll does not bring them; the same of errors.
    pub(super) fn results<'a>(
        &mut self,
        count: usize,
        id: impl Fn(usize) -> &'a str,
        each: impl FnMut(usize, &str) -> io::Result<()>,
    ) -> io::Result<()> {
        self.about("tasks/result", count, id, each)
    }

    /// Whether a poll of an ended task brings its result.
    pub(super) fn polls_bring_results(&self) -> bool {
        self.wire == Wire::Extension
    }

    /// Polls until every one of the tasks has this status.
    pub(super) fn until(&mut self, ids: &[String], status: &str) -> io::Result<()> {
        let mut waiting: Vec<&str> = ids.iter().map(String::as_str).collect();
        while !waiting.is_empty() {
            waiting = self.not_yet(&waiting, status)?;
        }
        Ok(())
    }

    /// Polls each once, and gives back those of another status.
    fn not_yet<'a>(&mut self, ids: &[&'a str], status: &str) -> io::Result<Vec<&'a str>> {
        let mut left = Vec::new();
        self.poll(
            ids.len(),
            |index| ids[index],
            |index, answer| {
                if member(answer, "status")? != status {
                    left.push(ids[index]);
                }
                Ok(())
            },
        )?;
        Ok(left)
    }

    /// Calls a tool, and hears of its progress beside the answer. The text of its result.
    pub(super) fn call(&mut self, tool: &str, arguments: &str) -> io::Result<String> {
        let mut text = String::new();
        self.exchange(
            1,
            |out, _| {
                let _ = write!(
                    out,
                    r#""method":"tools/call","params":{{"name":"{tool}","arguments":{{{arguments}}},{INLINE_META}}}"#
                );
            },
            |_, answer| {
                member(answer, "text")?.clone_into(&mut text);
                Ok(())
            },
        )?;
        Ok(text)
    }

    fn about<'a>(
        &mut self,
        method: &str,
        count: usize,
        id: impl Fn(usize) -> &'a str,
        each: impl FnMut(usize, &str) -> io::Result<()>,
    ) -> io::Result<()> {
        let tail = match self.wire {
            Wire::Extension => format!(",{META}"),
            Wire::Core => String::new(),
        };
        self.exchange(
            count,
            |out, index| {
                let id = id(index);
                let _ = write!(
                    out,
                    r#""method":"{method}","params":{{"taskId":"{id}"{tail}}}"#
                );
            },
            each,
        )
    }

    /// Sends so many requests, of which `request` writes method and parameters, and gives each its answer.
    fn exchange(
        &mut self,
        count: usize,
        request: impl Fn(&mut String, usize),
        mut each: impl FnMut(usize, &str) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut out = String::new();
        for start in (0..count).step_by(WAVE) {
            let wave = WAVE.min(count - start);
            out.clear();
            for index in 0..wave {
                let _ = write!(out, r#"{{"jsonrpc":"2.0","id":{},"#, self.next + index);
                request(&mut out, start + index);
                out.push_str("}\n");
            }
            self.write(&out)?;
            for _ in 0..wave {
                let index = self.answer()?;
                let index = index.checked_sub(self.next).filter(|index| *index < wave);
                let index = index.ok_or_else(|| unexpected(&self.line))?;
                each(start + index, &self.line)?;
            }
            self.next += wave;
        }
        Ok(())
    }

    /// Reads until there is an answer; the id of its request.
    fn answer(&mut self) -> io::Result<usize> {
        loop {
            self.read()?;
            let head = &self.line.as_bytes()[..self.line.len().min(100)];
            let head = str::from_utf8(head).unwrap_or_default();
            if head.contains(r#""method":"notifications/progress""#) {
                self.told.progress += 1;
            } else if head.contains(r#""method":"notifications/tasks/status""#) {
                self.told.status += 1;
            } else if !head.contains(r#""method":"elicitation/create""#) {
                let (_, id) = head.split_once(r#""id":"#).unwrap_or_default();
                let id = id.split(',').next().and_then(|id| id.parse().ok());
                return id.ok_or_else(|| unexpected(&self.line));
            }
        }
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        self.pipes.input.write_all(text.as_bytes())
    }

    fn read(&mut self) -> io::Result<()> {
        self.line.clear();
        if self.pipes.output.read_line(&mut self.line)? == 0 {
            return Err(io::Error::other("the server has ended"));
        }
        Ok(())
    }
}

/// The first member of this name that is a string.
pub(super) fn member<'a>(answer: &'a str, name: &str) -> io::Result<&'a str> {
    let (_, rest) = answer
        .split_once(&format!(r#""{name}":""#))
        .ok_or_else(|| unexpected(answer))?;
    let (text, _) = rest.split_once('"').ok_or_else(|| unexpected(answer))?;
    Ok(text)
}

/// An error unless `part` is in it.
pub(super) fn expect(answer: &str, part: &str) -> io::Result<()> {
    if answer.contains(part) {
        Ok(())
    } else {
        Err(unexpected(answer))
    }
}

pub(super) fn unexpected(answer: &str) -> io::Error {
    let answer: String = answer.chars().take(500).collect();
    io::Error::other(format!("not what was asked for: {answer}"))
}

/// How long `work` takes, and how much of the server's CPU time.
pub(super) fn timed(
    client: &mut Client,
    work: impl FnOnce(&mut Client) -> io::Result<()>,
) -> io::Result<(Duration, Duration)> {
    let (before, start) = (client.cpu()?, Instant::now());
    work(client)?;
    let elapsed = start.elapsed();
    Ok((elapsed, client.cpu()?.saturating_sub(before)))
}
