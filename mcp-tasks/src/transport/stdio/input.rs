//! What has been read, line by line.

use std::io::{self, Read};

use super::super::io::CHUNK;
use super::super::lines::{Line, Lines};

pub(super) struct Input<R> {
    reader: R,
    lines: Lines,
    chunk: Vec<u8>,
    /// Where in `chunk` the lines start that were not taken yet, and where they end.
    start: usize,
    end: usize,
}

impl<R: Read> Input<R> {
    pub(super) fn new(reader: R, lines: Lines) -> Self {
        Self {
            reader,
            lines,
            chunk: vec![0; CHUNK],
            start: 0,
            end: 0,
        }
    }

    /// The next line of what was read, copied to `line`; nothing where more has to be read.
    pub(super) fn next<'a>(&mut self, line: &'a mut Vec<u8>) -> Option<Line<'a>> {
        let mut rest = &self.chunk[self.start..self.end];
        let next = self.lines.next(&mut rest).map(|next| copied(&next, line));
        self.start = self.end - rest.len();
        next
    }

    /// Reads once all lines are taken, waiting for some; `false` at the end.
    pub(super) fn read(&mut self) -> io::Result<bool> {
        loop {
            match self.reader.read(&mut self.chunk) {
                Ok(length) => {
                    (self.start, self.end) = (0, length);
                    return Ok(length > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// What the end has left without a newline.
    pub(super) fn last<'a>(&mut self, line: &'a mut Vec<u8>) -> Option<Line<'a>> {
        let mut found = false;
        self.lines.finish(|last| {
            copied(&last, line);
            found = true;
        });
        found.then_some(Line::Whole(line))
    }
}

fn copied<'a>(line: &Line<'_>, to: &'a mut Vec<u8>) -> Line<'a> {
    let Line::Whole(bytes) = line else {
        return Line::TooLong;
    };
    to.clear();
    // A huge line's memory is not kept for the small ones after it.
    to.shrink_to(CHUNK);
    to.extend_from_slice(bytes);
    Line::Whole(to)
}
