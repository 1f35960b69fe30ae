//! A request's body on its way in: within bounds of size, of time, and of what all bodies take together.

use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::{Buf, Bytes, BytesMut};
use http::StatusCode;
use http_body::Body;
use http_body_util::BodyExt;

use super::within::within;
use crate::model::error::{Busy, RpcError};
use crate::server::Limits;

/// So much of each body is free: a few large ones that do not go on must not keep all others out.
const FREE: usize = 16 * 1024;

/// Takes in the bodies of one endpoint.
pub(super) struct Intake {
    /// Bytes of one body.
    most: usize,
    time: Duration,
    room: AtomicUsize,
}

/// A body that has come in whole.
#[derive(Debug)]
pub(super) struct Received<'i> {
    bytes: Bytes,
    _taken: Taken<'i>,
}

/// Room that one body takes up.
#[derive(Debug)]
struct Taken<'i> {
    room: &'i AtomicUsize,
    bytes: usize,
}

/// Why a body is not taken.
#[derive(Debug)]
pub(super) enum Refusal {
    Error(StatusCode, RpcError),
    /// There is no room for it now.
    Busy(RpcError),
}

impl Intake {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            most: limits.body_bytes,
            time: limits.receive,
            room: AtomicUsize::new(limits.body_bytes_total),
        }
    }

    pub(super) async fn receive<B>(&self, body: B) -> Result<Received<'_>, Refusal>
    where
        B: Body + Send,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let promised = body.size_hint().lower();
        if usize::try_from(promised).is_ok_and(|promised| promised <= self.most) {
            let late = || {
                let text = format!("the body did not arrive within {:?}", self.time);
                Refusal::error(StatusCode::REQUEST_TIMEOUT, text)
            };
            let received = within(self.time, self.collect(body));
            received.await.map_err(|_| late())?
        } else {
            Err(self.too_large())
        }
    }

    async fn collect<B>(&self, body: B) -> Result<Received<'_>, Refusal>
    where
        B: Body + Send,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let mut body = pin!(body);
        let mut taken = Taken {
            room: &self.room,
            bytes: 0,
        };
        let mut bytes = Bytes::new();
        while let Some(frame) = body.frame().await {
            let broken =
                |_| Refusal::error(StatusCode::BAD_REQUEST, "the body did not arrive whole");
            let Ok(mut data) = frame.map_err(broken)?.into_data() else {
                continue;
            };
            let length = bytes.len() + data.remaining();
            if length > self.most {
                return Err(self.too_large());
            }
            taken.grow_to(length.saturating_sub(FREE))?;
            bytes = joined(bytes, &mut data);
        }
        Ok(Received {
            bytes,
            _taken: taken,
        })
    }

    fn too_large(&self) -> Refusal {
        let text = format!("the body is larger than {} bytes", self.most);
        Refusal::error(StatusCode::PAYLOAD_TOO_LARGE, text)
    }
}

/// What has come and what comes now. As a rule one piece is all there is: it stays where it is.
fn joined(before: Bytes, now: &mut impl Buf) -> Bytes {
    if before.is_empty() {
        return now.copy_to_bytes(now.remaining());
    }
    // The same buffer grows, unless somebody else reads it too.
    let mut bytes = BytesMut::from(before);
    bytes.extend_from_slice(&now.copy_to_bytes(now.remaining()));
    bytes.freeze()
}

impl Received<'_> {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl Refusal {
    fn error(status: StatusCode, text: impl Into<std::borrow::Cow<'static, str>>) -> Self {
        Self::Error(status, RpcError::new(RpcError::INVALID_REQUEST, text))
    }
}

impl Taken<'_> {
    fn grow_to(&mut self, bytes: usize) -> Result<(), Refusal> {
        let more = bytes.saturating_sub(self.bytes);
        if more == 0 {
            return Ok(());
        }
        let taken = self
            .room
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |room| {
                room.checked_sub(more)
            });
        if taken.is_err() {
            let busy = Busy {
                retry_after: 1_000,
                of_caller: false,
            };
            return Err(Refusal::Busy(RpcError::busy(
                "too many large requests",
                busy,
            )));
        }
        self.bytes += more;
        Ok(())
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        if self.bytes > 0 {
            self.room.fetch_add(self.bytes, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::convert::Infallible;
    use std::pin::Pin;
    use std::task::{Context, Poll};

    use http_body::Frame;
    use http_body_util::Full;

    use super::*;

    /// A body that comes in these pieces.
    struct Pieces(VecDeque<Bytes>);

    impl Body for Pieces {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            Poll::Ready(self.0.pop_front().map(|piece| Ok(Frame::data(piece))))
        }
    }

    fn intake(total: usize) -> Intake {
        Intake::new(&Limits {
            body_bytes_total: total,
            ..Limits::default()
        })
    }

    fn body(length: usize) -> Full<&'static [u8]> {
        Full::new(vec![b'x'; length].leak())
    }

    #[tokio::test]
    async fn bodies_share_their_room_and_give_it_back() {
        let intake = intake(1_000);
        let first = intake.receive(body(FREE + 600)).await.expect("room");
        let refused = intake.receive(body(FREE + 600)).await;
        assert!(matches!(refused, Err(Refusal::Busy(_))), "{refused:?}");
        drop(first);
        let second = intake.receive(body(FREE + 600)).await.expect("room");
        assert_eq!(second.bytes().len(), FREE + 600);
    }

    #[tokio::test]
    async fn a_small_body_needs_no_room() {
        let intake = intake(0);
        let received = intake.receive(body(FREE)).await.expect("it is free");
        assert_eq!(received.bytes().len(), FREE);
    }

    #[tokio::test]
    async fn what_comes_in_pieces_is_joined_and_counted_together() {
        let intake = intake(1_000);
        let pieces = ["", "one", "", "two", "three"].map(Bytes::from);
        let received = intake.receive(Pieces(pieces.into())).await.expect("room");
        assert_eq!(received.bytes(), b"onetwothree");
        let large = vec![Bytes::from_static(&[b'x'; FREE]); 2];
        let refused = intake.receive(Pieces(large.into())).await;
        assert!(matches!(refused, Err(Refusal::Busy(_))), "{refused:?}");
        assert_eq!(intake.room.load(Ordering::Relaxed), 1_000);
    }

    #[tokio::test]
    async fn one_piece_is_read_where_it_is() {
        let intake = intake(1_000);
        let piece = Bytes::from(vec![b'x'; 100]);
        let sent = piece.as_ptr();
        let received = intake.receive(Pieces([piece].into())).await.expect("room");
        assert_eq!(received.bytes().as_ptr(), sent);
    }

    #[tokio::test]
    async fn a_body_that_breaks_off_gives_its_room_back() {
        let intake = intake(1_000);
        drop(intake.receive(body(FREE + 2_000)).await);
        assert_eq!(intake.room.load(Ordering::Relaxed), 1_000);
    }
}
