//! The `_meta` of 2026-07-28 as it was read last: a client says the same of itself with every request.

use std::sync::{Arc, Mutex};

use serde_json::value::RawValue;

use crate::model::concurrency::lock;
use crate::wire::meta::ModernMeta;

/// What one `_meta` says, with its text.
#[derive(Default)]
pub(super) struct LastMeta(Mutex<Option<ModernMeta>>);

impl LastMeta {
    /// Longer ones are read anew each time.
    const LONGEST: usize = 4 * 1024;

    /// What `raw` says, if it is the very text that was read last.
    pub(super) fn get(&self, raw: Option<&RawValue>) -> Option<ModernMeta> {
        let last = lock(&self.0);
        let meta = last.as_ref()?;
        let is_the_same = meta.whole.as_ref()?.get() == raw?.get();
        is_the_same.then(|| meta.clone())
    }

    /// Keeps what `raw` says, unless it says what another request will not. The text is kept once, for all the
    /// calls that bring it.
    pub(super) fn set(&self, raw: Option<&RawValue>, meta: &mut ModernMeta) {
        let is_the_requests_own = meta.progress_token.is_some() || meta.trace_parent.is_some();
        if let Some(raw) = raw
            && raw.get().len() <= Self::LONGEST
            && !is_the_requests_own
        {
            meta.whole = Some(Arc::from(raw.to_owned()));
            *lock(&self.0) = Some(meta.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::capability::Capability;
    use crate::wire::meta::Meta;

    fn raw(more: &str) -> Box<RawValue> {
        let text = format!(
            r#"{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{"roots":{{}}}}{more}}}"#
        );
        RawValue::from_string(text).expect("it is JSON")
    }

    fn keep(last: &LastMeta, raw: &RawValue) {
        let meta = Meta::read(Some(raw)).and_then(Meta::modern);
        last.set(Some(raw), &mut meta.expect("it is complete"));
    }

    #[test]
    fn the_same_text_says_the_same() {
        let last = LastMeta::default();
        let text = raw("");
        assert!(last.get(Some(&text)).is_none());
        keep(&last, &text);
        let meta = last.get(Some(&text)).expect("it was kept");
        assert!(meta.capabilities.has(Capability::Roots));
        let again = last.get(Some(&text)).expect("it is still kept");
        assert!(Arc::ptr_eq(&meta.whole.unwrap(), &again.whole.unwrap()));
        assert!(last.get(Some(&raw(r#","a":1"#))).is_none());
        assert!(last.get(None).is_none());
    }

    #[test]
    fn what_belongs_to_one_request_is_not_kept() {
        let last = LastMeta::default();
        for own in [
            r#","progressToken":1"#.to_owned(),
            r#","traceparent":"00-1-2-01""#.to_owned(),
            format!(r#","long":"{}""#, "x".repeat(LastMeta::LONGEST)),
        ] {
            let text = raw(&own);
            keep(&last, &text);
            assert!(last.get(Some(&text)).is_none(), "{own:.40}");
        }
    }
}
