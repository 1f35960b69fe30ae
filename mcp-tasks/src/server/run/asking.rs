//! The part of a run that only questions need, behind one table.
//!
//! The first question of a run brings the table along, and nothing else names what is in it: the linker keeps all of that
//! from programs that ask nothing, which is a twentieth of a small one.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::super::peer::Peer;
use super::Run;
use super::driver::Driver;
use crate::context::port::Asked;
use crate::model::concurrency::lock;
use crate::model::error::{AskError, RpcError};
use crate::model::input::InputRequest;

/// What a client answered a request with.
pub(super) type Response<'a> = Result<&'a RawValue, &'a RpcError>;

pub(crate) struct Asking {
    pub(super) ask: fn(&Run, &str, Arc<InputRequest>) -> Result<Asked, AskError>,
    park: fn(&Driver),
    ask_client: fn(&Driver),
    take_in: fn(&Arc<Run>, &Peer, u64, Response<'_>),
}

pub(crate) static ASKING: Asking = Asking {
    ask: Run::take_question,
    park: Driver::park_call,
    ask_client: Driver::put_to_client,
    take_in: Run::take_in_answer,
};

impl Run {
    fn asking(&self) -> Option<&'static Asking> {
        lock(&self.state).questions.asking
    }

    /// The client's response to a question that was a request to it under this id.
    pub(in crate::server) fn client_answered(
        self: &Arc<Self>,
        peer: &Peer,
        id: u64,
        response: Response<'_>,
    ) {
        if let Some(asking) = self.asking() {
            (asking.take_in)(self, peer, id, response);
        }
    }
}

impl Driver {
    /// All open questions leave together as an `input_required` result, and the request is answered.
    pub(super) fn park(&self) {
        if let Some(asking) = self.run.asking() {
            (asking.park)(self);
        }
    }

    /// Each question is a request of its own to a legacy client.
    pub(super) fn ask_client(&self) {
        if let Some(asking) = self.run.asking() {
            (asking.ask_client)(self);
        }
    }
}
