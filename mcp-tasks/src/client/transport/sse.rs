//! Server-sent events, read from chunks of bytes (WHATWG HTML, "Interpreting an event stream").

use std::time::Duration;

/// An event that is complete.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Event {
    /// Empty in an event that only sets an id.
    pub(super) data: Vec<u8>,
}

/// Takes a stream apart.
#[derive(Debug, Default)]
pub(super) struct Events {
    line: Vec<u8>,
    /// Its first line has been read, which may begin with a byte order mark.
    begun: bool,
    /// The last line ended with a carriage return, whose line feed may be in the next chunk.
    after_return: bool,
    data: Vec<u8>,
    has_data: bool,
    id: Option<String>,
    /// The id of the last event: where to resume.
    pub(super) last_id: Option<String>,
    /// How long to wait before that, where the server has said.
    pub(super) retry: Option<Duration>,
}

impl Events {
    /// The same stream, begun anew where this one broke.
    pub(super) fn taken_up(self) -> Self {
        Self {
            last_id: self.last_id,
            retry: self.retry,
            ..Self::default()
        }
    }

    /// Bytes that are kept for an event that is not complete.
    pub(super) fn pending(&self) -> usize {
        self.line.len() + self.data.len()
    }

    /// Tells `each` every event that `chunk` completes.
    pub(super) fn feed(&mut self, chunk: &[u8], mut each: impl FnMut(Event)) {
        for &byte in chunk {
            let line_feed_of_pair = std::mem::take(&mut self.after_return) && byte == b'\n';
            match byte {
                _ if line_feed_of_pair => {}
                b'\n' | b'\r' => {
                    self.after_return = byte == b'\r';
                    let line = std::mem::take(&mut self.line);
                    if let Some(event) = self.line(&line) {
                        each(event);
                    }
                }
                _ => self.line.push(byte),
            }
        }
    }

    fn line(&mut self, mut line: &[u8]) -> Option<Event> {
        if !std::mem::replace(&mut self.begun, true) {
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        if line.is_empty() {
            return self.dispatch();
        }
        let end = line
            .iter()
            .position(|byte| *byte == b':')
            .unwrap_or(line.len());
        let value = line.get(end + 1..).unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match &line[..end] {
            b"data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.data.push(b'\n');
                }
                self.data.extend_from_slice(value);
            }
            b"id" if !value.contains(&0) => {
                self.id = Some(String::from_utf8_lossy(value).into_owned());
            }
            b"retry" => {
                let millis = std::str::from_utf8(value)
                    .ok()
                    .and_then(|text| text.parse().ok());
                self.retry = millis.map(Duration::from_millis).or(self.retry);
            }
            // Comments, `event`, and what nobody knows. The name of an event has no meaning in MCP.
            _ => {}
        }
        None
    }

    fn dispatch(&mut self) -> Option<Event> {
        if let Some(id) = self.id.take() {
            self.last_id = Some(id).filter(|id| !id.is_empty());
        }
        let data = std::mem::take(&mut self.data);
        std::mem::take(&mut self.has_data).then_some(Event { data })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(chunks: &[&str]) -> (Vec<String>, Events) {
        let mut events = Events::default();
        let mut seen = Vec::new();
        for chunk in chunks {
            events.feed(chunk.as_bytes(), |event| {
                seen.push(String::from_utf8(event.data).expect("text"));
            });
        }
        (seen, events)
    }

    #[test]
    fn events_end_with_an_empty_line_wherever_the_chunks_end() {
        let (seen, _) = read(&["data: a\n", "\ndata:", " b\r\n\r", "\ndata:c\r\rdata: half"]);
        assert_eq!(seen, ["a", "b", "c"]);
    }

    #[test]
    fn data_of_several_lines_is_joined() {
        assert_eq!(read(&["data: a\ndata: b\n\n"]).0, ["a\nb"]);
    }

    #[test]
    fn comments_and_other_fields_are_passed_over() {
        assert_eq!(
            read(&[":\n\n: still here\nevent: message\nfoo\ndata: x\n\n"]).0,
            ["x"]
        );
    }

    #[test]
    fn an_event_without_data_sets_the_id_and_the_wait() {
        let (seen, events) = read(&[
            "id: 7-0\nretry: 250\ndata: \n\n",
            "id: 7-1\n\n",
            "id: 7-2\ndata: half",
        ]);
        assert_eq!(seen, [""]);
        assert_eq!(events.last_id.as_deref(), Some("7-1"));
        assert_eq!(events.retry, Some(Duration::from_millis(250)));
    }

    #[test]
    fn a_wait_that_is_no_number_changes_nothing() {
        let (_, events) = read(&["retry: 250\nretry: soon\n\n"]);
        assert_eq!(events.retry, Some(Duration::from_millis(250)));
    }
}
