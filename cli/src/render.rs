//! What a call resulted in, for people.

use mcp_tasks::client::CallResult;
use serde_json::Value;

use crate::clean;

/// The content, and the structured content where no text stands for it.
pub(crate) fn result(result: &CallResult) -> String {
    let mut parts: Vec<_> = result.content().iter().map(block).collect();
    if let Some(structured) = result.structured()
        && !result.content().iter().any(|block| block["type"] == "text")
    {
        parts.push(pretty(structured));
    }
    clean::block(&parts.join("\n"))
}

/// JSON on several lines.
pub(crate) fn pretty(value: &Value) -> String {
    clean::block(&format!("{value:#}"))
}

fn block(block: &Value) -> String {
    let text = |key: &str| block[key].as_str().unwrap_or_default();
    match text("type") {
        "text" => text("text").to_owned(),
        kind @ ("image" | "audio") => {
            format!(
                "[{kind}, {}, {} bytes; --json shows it]",
                text("mimeType"),
                decoded(text("data"))
            )
        }
        "resource_link" => format!("[link to {}: {}]", text("name"), text("uri")),
        "resource" => {
            let resource = &block["resource"];
            let uri = resource["uri"].as_str().unwrap_or_default();
            match (resource["text"].as_str(), resource["blob"].as_str()) {
                (Some(text), _) => format!("[{uri}]\n{text}"),
                (None, Some(blob)) => format!("[{uri}, {} bytes; --json shows it]", decoded(blob)),
                (None, None) => format!("[{uri}]"),
            }
        }
        kind => format!("[content of type {kind:?}; --json shows it]"),
    }
}

/// How many bytes this base64 stands for.
fn decoded(base64: &str) -> usize {
    base64.trim_end_matches('=').len() * 3 / 4
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_kind_of_content_is_shown_or_named() {
        for (content, shown) in [
            (json!({ "type": "text", "text": "a\n\x1b[31mb" }), "a\nb"),
            (
                json!({ "type": "image", "mimeType": "image/png", "data": "AAAA" }),
                "[image, image/png, 3 bytes; --json shows it]",
            ),
            (
                json!({ "type": "audio", "mimeType": "audio/wav", "data": "AAA=" }),
                "[audio, audio/wav, 2 bytes; --json shows it]",
            ),
            (
                json!({ "type": "resource_link", "name": "log", "uri": "file:///l" }),
                "[link to log: file:///l]",
            ),
            (
                json!({ "type": "resource", "resource": { "uri": "a:b", "text": "t" } }),
                "[a:b]\nt",
            ),
            (
                json!({ "type": "resource", "resource": { "uri": "a:b", "blob": "AA==" } }),
                "[a:b, 1 bytes; --json shows it]",
            ),
            (
                json!({ "type": "hologram" }),
                "[content of type \"hologram\"; --json shows it]",
            ),
        ] {
            assert_eq!(clean::block(&block(&content)), shown);
        }
    }
}
