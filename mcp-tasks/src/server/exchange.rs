//! How a message comes in beside what it says.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::outlet::{Answer, Outlet};
use super::reply::Batch;
use crate::context::extensions::Extensions;
use crate::model::error::RpcError;
use crate::model::tool::Mirrored;
use crate::wire::envelope::Params;
use crate::wire::modern;

/// How one message came, and where its answer goes.
#[derive(Clone, Copy)]
pub(crate) struct Exchange<'a> {
    pub(crate) outlet: &'a Arc<dyn Outlet>,
    pub(crate) batch: Option<&'a Arc<Batch>>,
    pub(crate) headers: &'a dyn Headers,
    pub(crate) extensions: &'a Extensions,
}

impl Exchange<'_> {
    /// Answers a message whose id is no longer, or never was, there to answer under.
    pub(super) fn refuse(&self, error: &RpcError) {
        let frame = modern::error(None, error);
        match self.batch {
            None => self.outlet.refuse(Answer {
                message: frame.into(),
                error: Some(error.into()),
                lost: None,
            }),
            Some(batch) => batch.add(frame),
        }
    }
}

/// What a transport's headers say of a request beside its body; stdio has none.
pub(crate) trait Headers {
    /// Whether they alone make the request one of the modern era.
    fn modern(&self) -> bool {
        false
    }
    /// The checks that come before those of the metadata, which names a version where it can be read.
    fn version(&self, _in_body: Option<&str>) -> Result<(), RpcError> {
        Ok(())
    }
    /// The checks that come after them.
    fn routing(&self, _method: &str, _params: &Params<'_>) -> Result<(), RpcError> {
        Ok(())
    }
    /// The checks of what a tool wants repeated.
    fn mirrored(
        &self,
        _mirrored: &[Mirrored],
        _arguments: Option<&RawValue>,
    ) -> Result<(), RpcError> {
        Ok(())
    }
}

impl Headers for () {}
