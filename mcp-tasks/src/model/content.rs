//! Content blocks of a tool's result.

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

/// One block of a tool's result.
///
/// ```
/// use mcp_tasks::{Content, Image};
///
/// let blocks: Vec<Content> = vec!["A red dot:".into(), Image::new(vec![0x89, b'P'], "image/png").into()];
/// # assert_eq!(blocks.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Content {
    /// Plain text.
    Text(Text),
    /// A picture.
    Image(Image),
    /// A sound.
    Audio(Audio),
    /// A pointer to something the client may read.
    ResourceLink(ResourceLink),
    /// A document, sent along whole.
    #[serde(rename = "resource")]
    Embedded(Embedded),
}

impl Content {
    /// A block of plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(Text::new(text))
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

/// Whom a block is meant for.
///
/// [`Image::audience`] shows a block for one of them; so do the other kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Audience {
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// Hints on how a client should treat one block.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Hints {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    audience: Vec<Audience>,
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_modified: Option<String>,
}

/// Plain text with hints; a bare string does without them.
///
/// [`Image`] shows how hints are given.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Text {
    #[serde(rename = "text")]
    body: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<Hints>,
    #[serde(rename = "_meta", skip_serializing_if = "Map::is_empty")]
    meta: Map<String, Value>,
}

impl Text {
    /// A block of plain text.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            body: text.into(),
            annotations: None,
            meta: Map::new(),
        }
    }
}

/// A picture.
///
/// ```
/// use mcp_tasks::{Audience, Image};
///
/// let chart = Image::new(std::fs::read("chart.png").unwrap_or_default(), "image/png")
///     .audience([Audience::User])
///     .priority(0.9);
/// # let _ = chart;
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    #[serde(serialize_with = "base64")]
    data: Vec<u8>,
    mime_type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<Hints>,
    #[serde(rename = "_meta", skip_serializing_if = "Map::is_empty")]
    meta: Map<String, Value>,
}

impl Image {
    /// A picture in the format that `mime_type` names; the bytes travel as base64.
    pub fn new(bytes: impl Into<Vec<u8>>, mime_type: impl Into<String>) -> Self {
        Self {
            data: bytes.into(),
            mime_type: mime_type.into(),
            annotations: None,
            meta: Map::new(),
        }
    }
}

/// A sound.
///
/// It is made and hinted at like an [`Image`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Audio {
    #[serde(serialize_with = "base64")]
    data: Vec<u8>,
    mime_type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<Hints>,
    #[serde(rename = "_meta", skip_serializing_if = "Map::is_empty")]
    meta: Map<String, Value>,
}

impl Audio {
    /// A sound in the format that `mime_type` names; the bytes travel as base64.
    pub fn new(bytes: impl Into<Vec<u8>>, mime_type: impl Into<String>) -> Self {
        Self {
            data: bytes.into(),
            mime_type: mime_type.into(),
            annotations: None,
            meta: Map::new(),
        }
    }
}

/// A pointer to a resource, which the client may read or not. Clients before 2025-06-18 do not know
/// it.
///
/// ```
/// use mcp_tasks::ResourceLink;
///
/// let log = ResourceLink::new("file:///var/log/deploy.log", "deploy.log").mime_type("text/plain").size(4096);
/// # let _ = log;
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceLink {
    uri: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<Hints>,
    #[serde(rename = "_meta", skip_serializing_if = "Map::is_empty")]
    meta: Map<String, Value>,
}

impl ResourceLink {
    /// A link to `uri`, shown as `name`.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            size: None,
            annotations: None,
            meta: Map::new(),
        }
    }

    /// A name for people, where `name` is one for programs.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// What the resource is, for the model.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// The resource's format.
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// The resource's size in bytes, before any encoding.
    pub fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }
}

/// A resource with its content.
///
/// ```
/// use mcp_tasks::Embedded;
///
/// let report = Embedded::text("report://2026/q3", "# Q3\nAll well.").mime_type("text/markdown");
/// let archive = Embedded::blob("report://2026/q3.zip", vec![0x50, 0x4b]);
/// # let _ = (report, archive);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Embedded {
    resource: Resource,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<Hints>,
    #[serde(rename = "_meta", skip_serializing_if = "Map::is_empty")]
    meta: Map<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Resource {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<String>,
    #[serde(flatten)]
    body: Body,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Body {
    Text(String),
    #[serde(serialize_with = "base64")]
    Blob(Vec<u8>),
}

impl Embedded {
    /// A resource whose content is text.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(uri.into(), Body::Text(text.into()))
    }

    /// A resource whose content is bytes; they travel as base64.
    pub fn blob(uri: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self::new(uri.into(), Body::Blob(bytes.into()))
    }

    fn new(uri: String, body: Body) -> Self {
        let resource = Resource {
            uri,
            mime_type: None,
            body,
        };
        Self {
            resource,
            annotations: None,
            meta: Map::new(),
        }
    }

    /// The content's format.
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.resource.mime_type = Some(mime_type.into());
        self
    }
}

/// What every kind of block has in common: hints, `_meta`, and the way into [`Content`].
macro_rules! block {
    ($($kind:ident),*) => {$(
        impl $kind {
            /// Whom the block is meant for; nobody named means everybody.
            pub fn audience(mut self, audience: impl IntoIterator<Item = Audience>) -> Self {
                self.annotations.get_or_insert_default().audience = audience.into_iter().collect();
                self
            }

            /// How much the block matters, from 0 (optional) to 1 (required); held within that
            /// range.
            pub fn priority(mut self, priority: f64) -> Self {
                self.annotations.get_or_insert_default().priority = Some(priority.clamp(0.0, 1.0));
                self
            }

            /// When the block's source last changed, in ISO 8601 (`2026-07-28T12:00:00Z`).
            pub fn last_modified(mut self, at: impl Into<String>) -> Self {
                self.annotations.get_or_insert_default().last_modified = Some(at.into());
                self
            }

            /// Adds one entry to the block's `_meta`.
            pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
                self.meta.insert(key.into(), value.into());
                self
            }
        }

        impl From<$kind> for Content {
            fn from(block: $kind) -> Self {
                Self::$kind(block)
            }
        }
    )*};
}

block!(Text, Image, Audio, ResourceLink, Embedded);

/// Writes bytes as base64 straight into the output, without a copy in between.
fn base64<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&Base64Display::new(bytes, &STANDARD))
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use serde_json::json;

    use super::*;

    fn json(content: impl Into<Content>) -> Value {
        serde_json::to_value(content.into()).unwrap()
    }

    #[test]
    fn each_kind_has_its_type_and_fields() {
        assert_eq!(json("hi"), json!({"type": "text", "text": "hi"}));
        assert_eq!(
            json(Image::new(*b"\x00\x01\x02", "image/png")),
            json!({"type": "image", "data": "AAEC", "mimeType": "image/png"})
        );
        assert_eq!(
            json(Audio::new(*b"\xff", "audio/wav")),
            json!({"type": "audio", "data": "/w==", "mimeType": "audio/wav"})
        );
        assert_eq!(
            json(
                ResourceLink::new("file:///a", "a")
                    .title("A")
                    .size(3)
                    .mime_type("text/plain")
            ),
            json!({"type": "resource_link", "uri": "file:///a", "name": "a", "title": "A",
                   "mimeType": "text/plain", "size": 3})
        );
        assert_eq!(
            json(Embedded::text("x://t", "body").mime_type("text/plain")),
            json!({"type": "resource",
                   "resource": {"uri": "x://t", "mimeType": "text/plain", "text": "body"}})
        );
        assert_eq!(
            json(Embedded::blob("x://b", *b"\x00")),
            json!({"type": "resource", "resource": {"uri": "x://b", "blob": "AA=="}})
        );
    }

    #[test]
    fn hints_and_meta_stand_beside_the_content() {
        let block = Text::new("t")
            .audience([Audience::User, Audience::Assistant])
            .priority(7.0)
            .last_modified("2026-07-28T12:00:00Z")
            .meta("example.com/k", 1);
        assert_eq!(
            json(block),
            json!({"type": "text", "text": "t",
                   "annotations": {"audience": ["user", "assistant"], "priority": 1.0,
                                   "lastModified": "2026-07-28T12:00:00Z"},
                   "_meta": {"example.com/k": 1}})
        );
    }

    #[test]
    fn base64_is_the_standard_alphabet_with_padding() {
        let bytes: Vec<u8> = (0..=255).collect();
        let data = json(Image::new(bytes.clone(), "image/png"))["data"]
            .as_str()
            .unwrap()
            .to_owned();
        assert_eq!(STANDARD.decode(data).unwrap(), bytes);
    }
}
