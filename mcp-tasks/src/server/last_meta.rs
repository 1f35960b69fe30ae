//! The `_meta` of 2026-07-28 as it was read last: a client says the same of itself with every request.

use std::cell::RefCell;
use std::sync::Arc;

use serde_json::value::RawValue;

use crate::wire::meta::ModernMeta;

/// Longer ones are read anew each time.
const LONGEST: usize = 4 * 1024;

thread_local! {
    // What a text says does not depend on who sends it. One for each thread that takes requests in, for one for all
    // would be what all of them wait for.
    static LAST: RefCell<Option<ModernMeta>> = const { RefCell::new(None) };
}

/// What `raw` says, if it is the very text that was read last.
pub(super) fn get(raw: Option<&RawValue>) -> Option<ModernMeta> {
    LAST.with_borrow(|last| {
        let meta = last.as_ref()?;
        let is_the_same = meta.whole.as_ref()?.get() == raw?.get();
        is_the_same.then(|| meta.clone())
    })
}

/// Keeps what `raw` says, unless it says what another request will not. The text is kept once, for all the
/// calls that bring it.
pub(super) fn set(raw: Option<&RawValue>, meta: &mut ModernMeta) {
    let is_the_requests_own = meta.progress_token.is_some() || meta.trace_parent.is_some();
    if let Some(raw) = raw
        && raw.get().len() <= LONGEST
        && !is_the_requests_own
    {
        meta.whole = Some(Arc::from(raw.to_owned()));
        LAST.set(Some(meta.clone()));
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

    fn keep(raw: &RawValue) {
        let meta = Meta::read(Some(raw)).and_then(Meta::modern);
        set(Some(raw), &mut meta.expect("it is complete"));
    }

    #[test]
    fn the_same_text_says_the_same() {
        let text = raw("");
        assert!(get(Some(&text)).is_none());
        keep(&text);
        let meta = get(Some(&text)).expect("it was kept");
        assert!(meta.capabilities.has(Capability::Roots));
        let again = get(Some(&text)).expect("it is still kept");
        assert!(Arc::ptr_eq(&meta.whole.unwrap(), &again.whole.unwrap()));
        assert!(get(Some(&raw(r#","a":1"#))).is_none());
        assert!(get(None).is_none());
    }

    #[test]
    fn what_belongs_to_one_request_is_not_kept() {
        for own in [
            r#","progressToken":1"#.to_owned(),
            r#","traceparent":"00-1-2-01""#.to_owned(),
            format!(r#","long":"{}""#, "x".repeat(LONGEST)),
        ] {
            let text = raw(&own);
            keep(&text);
            assert!(get(Some(&text)).is_none(), "{own:.40}");
        }
    }
}
