//! What the servers are asked, and how their answers are known to be right.

use std::io;
use std::ops::Range;

use crate::report::number;

/// The revision of the protocol that a client speaks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Wire {
    Modern,
    Legacy,
}

impl Wire {
    pub(super) const ALL: [Self; 2] = [Self::Modern, Self::Legacy];

    pub(super) fn revision(self) -> &'static str {
        match self {
            Self::Modern => "2026-07-28",
            Self::Legacy => "2025-11-25",
        }
    }

    /// The messages of a client before its first call; the first is a request.
    pub(super) fn hello(self) -> &'static [&'static str] {
        match self {
            Self::Modern => &[],
            Self::Legacy => &[
                r#"{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#,
                r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            ],
        }
    }

    /// The call with this id.
    pub(super) fn call(self, id: usize) -> String {
        let meta = match self {
            Self::Modern => {
                r#","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}"#
            }
            Self::Legacy => "",
        };
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"search","arguments":{{"query":"red shoes","limit":10,"tags":["new","on sale"]}}{meta}}}}}"#
        )
    }
}

/// What every answer to a call says.
const TEXT: &str = r#""content":[{"type":"text","text":"10 of red shoes (new, on sale)"}]"#;

/// The id that an answer is to, if it is the right one.
fn answered(answer: &str) -> io::Result<usize> {
    let id = answer
        .contains(TEXT)
        .then(|| answer.split_once(r#""id":"#))
        .flatten()
        .and_then(|(_, rest)| rest.split_once([',', '}']))
        .and_then(|(id, _)| id.parse().ok());
    id.ok_or_else(|| io::Error::other(format!("no answer to a call: {answer}")))
}

/// Fails at an answer to what nobody asked, or to what was answered.
pub(super) struct Answered {
    first: usize,
    answered: Vec<bool>,
}

impl Answered {
    /// Of the calls with these ids, no one is answered.
    pub(super) fn none_of(ids: Range<usize>) -> Self {
        Self {
            first: ids.start,
            answered: vec![false; ids.len()],
        }
    }

    pub(super) fn take(&mut self, answer: &str) -> io::Result<()> {
        let index = answered(answer)?.checked_sub(self.first);
        match index.and_then(|index| self.answered.get_mut(index)) {
            Some(answered) if !*answered => *answered = true,
            _ => return Err(io::Error::other(format!("nobody asked: {answer}"))),
        }
        Ok(())
    }
}

/// A cell of a table: microseconds, and as a multiple of those of mcp-tasks.
pub(super) fn cell(micros: f64, of_mcp_tasks: f64) -> String {
    format!("{} ({})", number(micros), number(micros / of_mcp_tasks))
}
