//! A message on its way out: bytes of its own, and what is large of a result where it lies.

use std::sync::Arc;

use super::Frame;
use crate::model::result::CallOutput;

/// One JSON message. A result may be kept for long and sent often: what is large of it is not copied into each
/// message that carries it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Message {
    own: Frame,
    /// In order; each comes before the byte of `own` at its place.
    parts: Vec<(usize, Part)>,
}

/// A part of a kept result.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    output: Arc<CallOutput>,
    is_structured: bool,
}

/// A stretch of a message.
#[derive(Debug)]
pub(crate) enum Piece {
    Own(Vec<u8>),
    Part(Part),
}

impl Message {
    /// Bytes from which on a part is large.
    pub(crate) const LARGE: usize = 16 * 1024;

    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self {
            own: Vec::with_capacity(bytes),
            parts: Vec::new(),
        }
    }

    /// Bytes of a result that will be its own.
    pub(super) fn room(output: &CallOutput) -> usize {
        let structured = output.structured.as_ref().map_or(0, |raw| raw.get().len());
        let parts = [output.content.get().len(), structured];
        let small = parts.into_iter().filter(|part| *part < Self::LARGE);
        small.sum::<usize>() + output.meta.as_ref().map_or(0, |raw| raw.get().len())
    }

    /// Where more of its own bytes go.
    pub(super) fn own(&mut self) -> &mut Frame {
        &mut self.own
    }

    /// Adds a part: a large one as it is, the bytes of a small one.
    pub(super) fn add(&mut self, part: Part) {
        if part.as_ref().len() >= Self::LARGE {
            self.parts.push((self.own.len(), part));
        } else {
            self.own.extend_from_slice(part.as_ref());
        }
    }

    /// Bytes of the whole.
    pub(crate) fn len(&self) -> usize {
        let parts = self.parts.iter().map(|(_, part)| part.as_ref().len());
        self.own.len() + parts.sum::<usize>()
    }

    /// Makes the message a line.
    pub(crate) fn end_line(&mut self) {
        self.own.push(b'\n');
    }

    /// The stretches that it consists of, none of them empty.
    pub(crate) fn into_pieces(self) -> impl Iterator<Item = Piece> {
        let Self { mut own, parts } = self;
        let mut later = Vec::new();
        for (place, part) in parts.into_iter().rev() {
            later.push(Piece::Own(own.split_off(place)));
            later.push(Piece::Part(part));
        }
        let pieces = std::iter::once(Piece::Own(own)).chain(later.into_iter().rev());
        pieces.filter(|piece| !piece.as_ref().is_empty())
    }

    /// The bytes of the same stretches.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        let mut from = 0;
        let until_parts = self.parts.iter().flat_map(move |(place, part)| {
            let own = &self.own[std::mem::replace(&mut from, *place)..*place];
            [own, part.as_ref()]
        });
        let last = self.parts.last().map_or(0, |(place, _)| *place);
        let pieces = until_parts.chain(std::iter::once(&self.own[last..]));
        pieces.filter(|piece| !piece.is_empty())
    }

    /// The whole in one, copied together if it must be.
    pub(crate) fn joined(self) -> Frame {
        if self.parts.is_empty() {
            return self.own;
        }
        let mut frame = Vec::with_capacity(self.len());
        for piece in self.pieces() {
            frame.extend_from_slice(piece);
        }
        frame
    }
}

impl From<Frame> for Message {
    fn from(own: Frame) -> Self {
        Self {
            own,
            parts: Vec::new(),
        }
    }
}

impl Part {
    pub(super) fn content(output: &Arc<CallOutput>) -> Self {
        Self {
            output: Arc::clone(output),
            is_structured: false,
        }
    }

    /// Empty where the result has none.
    pub(super) fn structured(output: &Arc<CallOutput>) -> Self {
        Self {
            output: Arc::clone(output),
            is_structured: true,
        }
    }
}

impl AsRef<[u8]> for Part {
    fn as_ref(&self) -> &[u8] {
        if self.is_structured {
            let structured = self.output.structured.as_ref();
            structured.map_or(&[], |raw| raw.get().as_bytes())
        } else {
            self.output.content.get().as_bytes()
        }
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.output, &other.output) && self.is_structured == other.is_structured
    }
}

impl Eq for Part {}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::Own(bytes) => bytes,
            Self::Part(part) => part.as_ref(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::value::to_raw_value;

    use super::*;

    fn output(length: usize) -> Arc<CallOutput> {
        let text = "x".repeat(length);
        Arc::new(CallOutput {
            content: to_raw_value(&text).expect("a string is JSON"),
            structured: Some(to_raw_value(&text).expect("a string is JSON")),
            meta: None,
            is_error: false,
        })
    }

    fn message(output: &Arc<CallOutput>) -> Message {
        let mut message = Message::default();
        message.own().extend_from_slice(b"<");
        message.add(Part::content(output));
        message.own().extend_from_slice(b"|");
        message.add(Part::structured(output));
        message.own().extend_from_slice(b">");
        message
    }

    fn whole(output: &CallOutput) -> String {
        let structured = output.structured.as_ref().expect("there is some");
        format!("<{}|{}>", output.content, structured)
    }

    #[test]
    fn what_is_large_stays_where_it_lies() {
        let output = output(Message::LARGE);
        let pieces: Vec<_> = message(&output).into_pieces().collect();
        let at = |piece: &Piece| piece.as_ref().as_ptr();
        assert_eq!(pieces.len(), 5);
        assert_eq!(at(&pieces[1]), output.content.get().as_ptr());
        let structured = output.structured.as_ref().expect("there is some");
        assert_eq!(at(&pieces[3]), structured.get().as_ptr());
        assert_eq!(message(&output).len(), whole(&output).len());
        assert_eq!(message(&output).joined(), whole(&output).as_bytes());
    }

    #[test]
    fn what_is_small_is_part_of_the_one_piece() {
        let output = output(10);
        let pieces: Vec<_> = message(&output).into_pieces().collect();
        assert_eq!(pieces.len(), 1);
        assert_eq!(pieces[0].as_ref(), whole(&output).as_bytes());
    }

    #[test]
    fn a_message_that_ends_in_a_part_has_no_empty_piece() {
        let mut message = Message::default();
        message.add(Part::content(&output(Message::LARGE)));
        assert_eq!(message.into_pieces().count(), 1);
    }
}
