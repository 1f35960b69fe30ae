//! A posted message, from where it is taken in to where its response comes from.

use std::sync::Arc;

use http::{Response, StatusCode};

use super::answer::status;
use super::body::ResponseBody;
use super::sent::Sent;
use super::session::Session;
use super::stream::Stream;
use crate::server::outlet::Outlet;
use crate::server::{Exchange, Peer};
use crate::wire::envelope::{self, Incoming};

/// A message that was taken in, and where its response comes from.
pub(super) enum Posted {
    Answered(Response<ResponseBody>),
    Modern {
        peer: Arc<Peer>,
        stream: Arc<Stream>,
    },
    InSession {
        session: Arc<Session>,
        name: u64,
        stream: Arc<Stream>,
        /// The response tells the session's id.
        opens_it: bool,
    },
}

pub(super) fn in_session(session: Arc<Session>, sent: &Sent<'_>, incoming: Incoming<'_>) -> Posted {
    let is_new = !session.peer.is_initialized();
    let answered = expects_answer(&incoming);
    let (name, stream) = session.open_stream();
    let outlet: Arc<dyn Outlet> = Arc::clone(&stream) as _;
    take_in(&session.peer, incoming, &outlet, sent);
    if !answered {
        session.close_stream(name);
        return Posted::Answered(status(StatusCode::ACCEPTED));
    }
    Posted::InSession {
        opens_it: is_new && session.peer.is_initialized(),
        session,
        name,
        stream,
    }
}

pub(super) fn take_in(
    peer: &Arc<Peer>,
    incoming: Incoming<'_>,
    outlet: &Arc<dyn Outlet>,
    sent: &Sent<'_>,
) {
    let exchange = Exchange {
        outlet,
        batch: None,
        headers: &sent.headers,
        extensions: &sent.caller.extensions,
    };
    peer.take_in(incoming, &exchange);
}

/// Whether the message, or one of its members, is a request.
fn expects_answer(incoming: &Incoming<'_>) -> bool {
    match incoming {
        Incoming::Request(_) => true,
        Incoming::Notification(_) | Incoming::Response(_) => false,
        Incoming::Batch(members) => members.iter().any(|member| {
            // A member that is no message is answered with an error.
            match envelope::parse(member.get().as_bytes()) {
                Ok(incoming) => {
                    !matches!(incoming, Incoming::Notification(_) | Incoming::Response(_))
                }
                Err(_) => true,
            }
        }),
    }
}
