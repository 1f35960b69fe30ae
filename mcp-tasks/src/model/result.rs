//! What a call produced, as parts that any wire can put its braces around.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

use super::content::Content;

/// A finished call's result, serialised once. Wires copy these bytes and nothing else.
#[derive(Clone, Debug)]
pub struct CallOutput {
    /// A JSON array of content blocks.
    pub content: Box<RawValue>,
    /// `structuredContent`, where the tool has one; JSON `null` is a value.
    pub structured: Option<Box<RawValue>>,
    /// The tool's own `_meta` object.
    pub meta: Option<Box<RawValue>>,
    /// Whether the result reports an error to the model.
    pub is_error: bool,
}

impl CallOutput {
    /// Bytes of JSON this result holds.
    pub fn size(&self) -> usize {
        let optional =
            |part: &Option<Box<RawValue>>| part.as_ref().map_or(0, |raw| raw.get().len());
        self.content.get().len() + optional(&self.structured) + optional(&self.meta)
    }

    /// The same for keeping. JSON is written into memory that grows by doubling; what an allocator gets back of a part's
    /// end is too small for the next part, and lies idle for as long as the result is kept.
    pub(crate) fn trimmed(self) -> Self {
        const SMALL: usize = 64 * 1024;
        let trimmed = |raw: Box<RawValue>| match raw.get().len() {
            ..SMALL => (*raw).to_owned(),
            _ => raw,
        };
        Self {
            content: trimmed(self.content),
            structured: self.structured.map(trimmed),
            meta: self.meta.map(trimmed),
            is_error: self.is_error,
        }
    }
}

/// A whole `tools/call` result, for a tool that wants each part its own way.
///
/// ```
/// use mcp_tasks::CallToolResult;
///
/// fn lookup(found: Option<u32>) -> CallToolResult {
///     match found {
///         Some(id) => CallToolResult::new().text("found it").structured(&serde_json::json!({"id": id})),
///         None => CallToolResult::new().text("no such entry").is_error(true),
///     }
/// }
/// # lookup(Some(1)); lookup(None);
/// ```
#[derive(Debug, Default)]
pub struct CallToolResult {
    content: Vec<Content>,
    structured: Option<Result<Box<RawValue>, serde_json::Error>>,
    meta: Map<String, Value>,
    is_error: bool,
}

impl CallToolResult {
    /// An empty result, which is a success.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a block of text.
    pub fn text(self, text: impl Into<String>) -> Self {
        self.content(Content::text(text))
    }

    /// Adds a block.
    pub fn content(mut self, block: impl Into<Content>) -> Self {
        self.content.push(block.into());
        self
    }

    /// Sets `structuredContent`. Clients before 2026-07-28 take an object only. It is left out of a
    /// result that is an error; a value that cannot be written as JSON makes the result an error.
    pub fn structured(mut self, value: &impl Serialize) -> Self {
        self.structured = Some(to_raw_value(value));
        self
    }

    /// Adds one entry to the result's `_meta`.
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.insert(key.into(), value.into());
        self
    }

    /// Whether the result reports an error to the model.
    pub fn is_error(mut self, yes: bool) -> Self {
        self.is_error = yes;
        self
    }

    /// The parts, serialised.
    pub(crate) fn into_parts(self) -> Result<CallOutput, serde_json::Error> {
        let structured = self.structured.filter(|_| !self.is_error).transpose()?;
        Ok(CallOutput {
            content: to_raw_value(&self.content)?,
            structured,
            meta: if self.meta.is_empty() {
                None
            } else {
                Some(to_raw_value(&self.meta)?)
            },
            is_error: self.is_error,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_structured_content_is_not_the_same_as_none() {
        let null = CallToolResult::new()
            .structured(&Value::Null)
            .into_parts()
            .unwrap();
        assert_eq!(null.structured.unwrap().get(), "null");
        assert!(
            CallToolResult::new()
                .into_parts()
                .unwrap()
                .structured
                .is_none()
        );
    }

    #[test]
    fn an_error_carries_no_structured_content() {
        let output = CallToolResult::new()
            .text("bad")
            .structured(&1)
            .is_error(true)
            .into_parts()
            .unwrap();
        assert!(output.is_error);
        assert!(output.structured.is_none());
        assert_eq!(output.content.get(), r#"[{"type":"text","text":"bad"}]"#);
    }

    #[test]
    fn a_value_that_is_no_json_is_an_error_not_a_panic() {
        let keyed = std::collections::HashMap::from([((1, 2), 3)]);
        assert!(
            CallToolResult::new()
                .structured(&keyed)
                .into_parts()
                .is_err()
        );
    }

    #[test]
    fn size_counts_every_part() {
        let output = CallToolResult::new()
            .structured(&12)
            .meta("k", "v")
            .into_parts()
            .unwrap();
        assert_eq!(output.content.get(), "[]");
        assert_eq!(
            output.size(),
            "[]".len() + "12".len() + r#"{"k":"v"}"#.len()
        );
    }
}
