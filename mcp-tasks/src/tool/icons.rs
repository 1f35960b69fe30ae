//! A tool's icons and metadata, as its author wrote them.

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

/// Icons from the address of one, or from a JSON array of them.
pub(super) fn icons(text: &str) -> Result<Box<RawValue>, String> {
    if !text.trim_start().starts_with('[') {
        return checked_icons(&json!([{ "src": text }]));
    }
    let icons: Value =
        serde_json::from_str(text).map_err(|error| format!("`icons` is no JSON: {error}"))?;
    checked_icons(&icons)
}

/// 2025-11-25 schema, `Icon`: clients take `https:` and `data:` addresses.
pub(super) fn checked_icons(icons: &Value) -> Result<Box<RawValue>, String> {
    let fits = |icon: &Value| {
        let src = icon["src"].as_str().unwrap_or_default();
        src.starts_with("https://") || src.starts_with("data:")
    };
    match icons.as_array() {
        Some(all) if all.iter().all(fits) => raw(icons),
        _ => Err("each of `icons` needs a `src` that starts with `https://` or `data:`".to_owned()),
    }
}

/// `_meta` from JSON text.
pub(super) fn meta(text: &str) -> Result<Box<RawValue>, String> {
    match serde_json::from_str(text) {
        Ok(meta @ Value::Object(_)) => raw(&meta),
        Ok(_) => Err("`meta` must be a JSON object".to_owned()),
        Err(error) => Err(format!("`meta` is no JSON: {error}")),
    }
}

fn raw(value: &Value) -> Result<Box<RawValue>, String> {
    to_raw_value(value).map_err(|error| error.to_string())
}
