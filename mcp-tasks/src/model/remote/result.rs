//! A tool's result as a client got it.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// A tool's result: content for a model, and perhaps structured content for a program.
///
/// [`Client`](crate::client::Client) shows how to come by one. Nothing of it is lost: [`json`](Self::json) is the object as it came, kinds of content that this crate does not
/// know included.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallResult(Map<String, Value>);

impl CallResult {
    pub(crate) fn new(json: Map<String, Value>) -> Self {
        Self(json)
    }

    /// Whether the tool reports an error to the model. It is a result all the same.
    pub fn is_error(&self) -> bool {
        self.0.get("isError") == Some(&Value::Bool(true))
    }

    /// The content blocks, each an object with a `type`.
    pub fn content(&self) -> &[Value] {
        self.0
            .get("content")
            .and_then(Value::as_array)
            .map_or(&[], Vec::as_slice)
    }

    /// All blocks of text, joined by line breaks.
    pub fn text(&self) -> String {
        let texts = self
            .content()
            .iter()
            .filter(|block| block["type"] == "text");
        let texts: Vec<_> = texts.filter_map(|block| block["text"].as_str()).collect();
        texts.join("\n")
    }

    /// `structuredContent`; JSON `null` is a value.
    pub fn structured(&self) -> Option<&Value> {
        self.0.get("structuredContent")
    }

    /// `structuredContent` as a type of the caller's.
    ///
    /// # Errors
    /// If there is none, or it does not fit.
    pub fn structured_as<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        match self.structured() {
            Some(value) => T::deserialize(value),
            None => Err(serde::de::Error::custom(
                "the result has no structured content",
            )),
        }
    }

    /// The whole object as it came.
    pub fn json(&self) -> &Map<String, Value> {
        &self.0
    }

    /// The whole object as it came, to keep.
    pub fn into_json(self) -> Map<String, Value> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn result(json: &Value) -> CallResult {
        CallResult::new(json.as_object().cloned().expect("an object"))
    }

    #[test]
    fn the_text_is_that_of_all_blocks_of_text() {
        let result = result(&json!({ "content": [
            { "type": "text", "text": "a" },
            { "type": "image", "data": "", "mimeType": "image/png" },
            { "type": "text", "text": "b" },
        ]}));
        assert_eq!(result.text(), "a\nb");
        assert_eq!(result.content().len(), 3);
        assert!(!result.is_error());
    }

    #[test]
    fn structured_null_is_a_value_and_nothing_is_none() {
        let null = result(&json!({ "structuredContent": null }));
        assert_eq!(null.structured(), Some(&Value::Null));
        let none = result(&json!({ "content": [] }));
        assert_eq!(none.structured(), None);
        assert!(none.structured_as::<u8>().is_err());
        let three = result(&json!({ "structuredContent": { "n": 3 } }));
        let read: std::collections::HashMap<String, u8> = three.structured_as().expect("fits");
        assert_eq!(read["n"], 3);
    }
}
