//! Server-sent events: how a message looks in an event stream.

use bytes::Bytes;

use super::stream::Event;

/// A comment that keeps proxies from closing a silent stream.
pub(super) const KEEP_ALIVE: &[u8] = b":\n\n";

/// How soon a client may come back after its connection broke, in milliseconds.
const RETRY: u32 = 1_000;

/// A message as an event. `stream` gives it an id that a client can resume after.
pub(super) fn event(event: &Event, stream: Option<u64>) -> Bytes {
    let mut text = Vec::with_capacity(event.message.len() + 48);
    if let Some(stream) = stream {
        text.extend_from_slice(format!("id: {}\n", event_id(stream, event.number)).as_bytes());
    }
    text.extend_from_slice(b"data: ");
    // A message is one line by construction: strings in it are escaped.
    for piece in event.message.pieces() {
        text.extend_from_slice(piece);
    }
    text.extend_from_slice(b"\n\n");
    text.into()
}

/// An event without content that gives the client an id to resume after, from the start (2025-11-25
/// streamable HTTP, "Sending Messages to the Server"). Older clients choke on it.
pub(super) fn priming(stream: u64) -> Bytes {
    format!("id: {}\nretry: {RETRY}\ndata: \n\n", event_id(stream, 0)).into()
}

fn event_id(stream: u64, number: u64) -> String {
    format!("{stream}-{number}")
}

/// The stream and the number in an event id.
pub(super) fn read_event_id(id: &str) -> Option<(u64, u64)> {
    let (stream, number) = id.split_once('-')?;
    Some((stream.parse().ok()?, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_a_line_of_data_with_an_id_where_it_can_be_resumed() {
        let frame = Event {
            number: 3,
            message: b"{}".to_vec().into(),
        };
        assert_eq!(event(&frame, None), "data: {}\n\n");
        assert_eq!(event(&frame, Some(7)), "id: 7-3\ndata: {}\n\n");
        assert_eq!(priming(7), "id: 7-0\nretry: 1000\ndata: \n\n");
    }

    #[test]
    fn an_event_id_is_read_back() {
        assert_eq!(read_event_id(&event_id(7, 3)), Some((7, 3)));
        for id in ["", "7", "7-", "-3", "a-b", "7-3-1"] {
            assert_eq!(read_event_id(id), None, "{id}");
        }
    }
}
