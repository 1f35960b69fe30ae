//! Taking messages in: from bytes to the era that answers them.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::{Activity, Peer, still_worked_on};
use crate::context::extensions::Extensions;
use crate::model::cancel::CancelReason;
use crate::model::concurrency::lock;
use crate::model::error::RpcError;
use crate::server::exchange::{Exchange, Headers};
use crate::server::reply::{Batch, Reply};
use crate::server::{last_meta, legacy, modern};
use crate::wire::Revision;
use crate::wire::envelope::{
    self, Incoming, Notification, Params, ParseError, Request, RequestId, Response,
};
use crate::wire::meta::{Meta, ModernMeta};

impl Peer {
    /// Takes in one line. Returns at once; whatever takes time runs on the runtime.
    pub(crate) fn receive(self: &Arc<Self>, line: &[u8], extensions: &Extensions) {
        if line.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        let exchange = Exchange {
            outlet: &self.home,
            batch: None,
            headers: &(),
            extensions,
        };
        self.message(line, &exchange);
    }

    /// A line was longer than the server takes; whatever it was cannot be answered under its id.
    pub(crate) fn line_too_long(&self) {
        let limit = self.core.limits.line_bytes;
        let error = RpcError::new(
            RpcError::INVALID_REQUEST,
            format!("the message is longer than {limit} bytes"),
        );
        self.home.send(crate::wire::modern::error(None, &error));
    }

    fn message(self: &Arc<Self>, bytes: &[u8], via: &Exchange<'_>) {
        match envelope::parse(bytes) {
            Ok(incoming) => self.take_in(incoming, via),
            Err(fault) => self.malformed(fault, via),
        }
    }

    /// Takes in one message. Whatever it asks for is answered by way of `via`.
    pub(crate) fn take_in(self: &Arc<Self>, incoming: Incoming<'_>, via: &Exchange<'_>) {
        match incoming {
            Incoming::Request(request) => self.request(request, via),
            Incoming::Notification(notification) => self.notification(&notification),
            Incoming::Response(response) => self.response(&response),
            Incoming::Batch(members) => self.batch(&members, via),
        }
    }

    fn malformed(self: &Arc<Self>, fault: ParseError, via: &Exchange<'_>) {
        match fault.id {
            Some(id) => self.reply(id, via).error(&fault.error),
            None => via.refuse(&fault.error),
        }
    }

    /// 2025-03-26 alone has batches; before `initialize` nobody has.
    fn batch(self: &Arc<Self>, members: &[&RawValue], via: &Exchange<'_>) {
        if via.batch.is_some() || self.revision() != Some(Revision::V2025_03_26) {
            return via.refuse(&RpcError::new(
                RpcError::INVALID_REQUEST,
                "batches are part of protocol revision 2025-03-26 alone: send one message a line",
            ));
        }
        let batch = Batch::new();
        let via = Exchange {
            batch: Some(&batch),
            ..*via
        };
        for member in members {
            self.message(member.get().as_bytes(), &via);
        }
        batch.finished(None, &**via.outlet);
    }

    fn reply(self: &Arc<Self>, id: RequestId, via: &Exchange<'_>) -> Reply {
        if let Some(batch) = via.batch {
            batch.expect_one();
        }
        Reply::new(self, via, id)
    }

    fn request(self: &Arc<Self>, request: Request<'_>, via: &Exchange<'_>) {
        if lock(&self.in_flight).has(&request.id) {
            return via.refuse(&still_worked_on());
        }
        let reply = self.reply(request.id, via);
        let method = request.method.as_ref();
        let params = &request.params;
        match era(method, params, via.headers) {
            Err(error) => reply.error(&error),
            Ok(Era::Modern(meta)) => modern::request(reply, method, params, meta, via.headers),
            Ok(Era::Legacy(meta)) => {
                legacy::request(reply, method, params, meta, via.batch.is_some());
            }
        }
    }

    fn notification(&self, notification: &Notification<'_>) {
        // A notification has no era: a cancellation acts on the request in flight, whatever its era.
        if notification.method == "notifications/cancelled"
            && let Some(id) = notification.params.cancelled_id()
        {
            self.cancel(&id);
        }
    }

    fn cancel(&self, id: &RequestId) {
        let activity = lock(&self.in_flight).get(id).cloned();
        match activity {
            Some(Activity::Call(run)) => {
                self.winds_down(&run);
                run.cancelled_by_client(self, id);
            }
            Some(Activity::Wait(stop) | Activity::Lookup(stop) | Activity::Listen(stop)) => {
                stop.fire(CancelReason::Requested);
            }
            // Finished or never seen: ignored.
            None => {}
        }
    }

    fn response(&self, response: &Response<'_>) {
        // An error without an id is about nothing in particular.
        if let Some(id) = &response.id
            && let Some((id, run)) = self.requests.take(id)
        {
            run.client_answered(self, id, response.outcome.as_ref().copied());
        }
    }
}

/// A request's metadata by the rules of its era.
enum Era<'a> {
    /// All that is to be checked before its method is right.
    Modern(ModernMeta),
    Legacy(Meta<'a>),
}

fn era<'a>(method: &str, params: &Params<'a>, headers: &dyn Headers) -> Result<Era<'a>, RpcError> {
    if let Some(meta) = last_meta::get(params.meta) {
        headers.version(Some(meta.revision.as_str()))?;
        headers.routing(method, params)?;
        return Ok(Era::Modern(meta));
    }
    let meta = Meta::read(params.meta)?;
    if !headers.modern() && !meta.is_modern() && !modern::is_modern_method(method) {
        return Ok(Era::Legacy(meta));
    }
    headers.version(meta.version_text().as_deref())?;
    let mut meta = meta.modern()?;
    headers.routing(method, params)?;
    last_meta::set(params.meta, &mut meta);
    Ok(Era::Modern(meta))
}
