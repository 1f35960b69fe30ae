//! What a request carries beside its body.

use http::HeaderMap;

use super::headers::RequestHeaders;
use crate::context::extensions::Extensions;
use crate::model::principal::{Owner, Principal};

/// Who sent a request, and what it carries beside its body.
pub(super) struct Caller {
    pub(super) owner: Owner,
    headers: HeaderMap,
    pub(super) extensions: Extensions,
}

impl Caller {
    pub(super) fn of(headers: HeaderMap, extensions: http::Extensions) -> Self {
        Self {
            // Put there by `bearer_auth` or by a layer of the author's.
            owner: match extensions.get::<Principal>() {
                Some(principal) => Owner::Principal(principal.clone()),
                None => Owner::Bearer,
            },
            headers,
            extensions: Extensions::of(extensions),
        }
    }
}

/// A request as its body is read: who sent it, and the headers to be checked against the body.
pub(super) struct Sent<'a> {
    pub(super) caller: &'a Caller,
    pub(super) headers: RequestHeaders<'a>,
}

impl<'a> Sent<'a> {
    pub(super) fn by(caller: &'a Caller) -> Self {
        Self {
            caller,
            headers: RequestHeaders::of(&caller.headers),
        }
    }
}
