//! JSON written straight into bytes: no value trees, raw parts copied as they are.

use std::io::Write as _;
use std::time::{Duration, UNIX_EPOCH};

use serde::Serialize;
use serde_json::{Map, Value};

use super::envelope::RequestId;
use super::message::Part;
use super::related::Related;
use super::{Frame, Message, ServerInfo};
use crate::model::clock::Millis;
use crate::model::error::RpcError;

/// `_meta` of a 2026-07-28 result.
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// `_meta` of whatever a 2026-07-28 subscription sends.
const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// Room for an envelope and a small result, so that most frames are allocated once.
const SMALL: usize = 256;

/// A JSON object that is being written. Keys given as `&'static str` need no escapes.
pub(super) struct Object<'a> {
    out: &'a mut Message,
    empty: bool,
}

impl Object<'_> {
    // Out of line, like the two below: members are written at a hundred places.
    #[inline(never)]
    fn key(&mut self, key: &'static str) -> &mut Vec<u8> {
        self.comma();
        let out = self.out.own();
        out.push(b'"');
        out.extend_from_slice(key.as_bytes());
        out.extend_from_slice(b"\":");
        out
    }

    fn comma(&mut self) {
        if !self.empty {
            self.out.own().push(b',');
        }
        self.empty = false;
    }

    #[inline(never)]
    pub(super) fn text(&mut self, key: &'static str, text: &str) {
        json(self.key(key), text);
    }

    #[inline(never)]
    pub(super) fn optional_text(&mut self, key: &'static str, text: Option<&str>) {
        if let Some(text) = text {
            self.text(key, text);
        }
    }

    pub(super) fn bool(&mut self, key: &'static str, value: bool) {
        json(self.key(key), &value);
    }

    /// At most what every JSON reader keeps exactly.
    pub(super) fn integer(&mut self, key: &'static str, value: u64) {
        const SAFE: u64 = (1 << 53) - 1;
        json(self.key(key), &value.min(SAFE));
    }

    /// Whole numbers go out without a fraction; JSON has neither infinities nor NaN.
    pub(super) fn number(&mut self, key: &'static str, value: f64) {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let value = if value.is_nan() {
            0.0
        } else {
            value.clamp(f64::MIN, f64::MAX)
        };
        let out = self.key(key);
        if value.fract() == 0.0 && value.abs() < EXACT {
            write_display(out, format_args!("{value:.0}"));
        } else {
            json(out, &value);
        }
    }

    pub(super) fn null(&mut self, key: &'static str) {
        self.key(key).extend_from_slice(b"null");
    }

    pub(super) fn id(&mut self, key: &'static str, id: &RequestId) {
        write_id(self.key(key), id);
    }

    /// `json` is valid JSON already.
    pub(super) fn raw(&mut self, key: &'static str, json: &str) {
        self.key(key).extend_from_slice(json.as_bytes());
    }

    /// A part of a result, which is not copied if it is large.
    pub(super) fn part(&mut self, key: &'static str, part: Part) {
        self.key(key);
        self.out.add(part);
    }

    pub(super) fn value(&mut self, key: &'static str, value: &impl Serialize) {
        json(self.key(key), value);
    }

    /// ISO 8601 with milliseconds, in UTC.
    pub(super) fn time(&mut self, key: &'static str, at: Millis) {
        // The last moment that RFC 3339 can spell: 9999-12-31T23:59:59.999Z.
        const LAST: u64 = 253_402_300_799_999;
        let at = UNIX_EPOCH + Duration::from_millis(at.0.min(LAST));
        write_display(
            self.key(key),
            format_args!("\"{}\"", humantime::format_rfc3339_millis(at)),
        );
    }

    pub(super) fn object(&mut self, key: &'static str, fill: impl FnOnce(&mut Object<'_>)) {
        self.key(key);
        object(self.out, fill);
    }

    /// A value under a key that was chosen at run time.
    pub(super) fn member(&mut self, key: &str, value: &Value) {
        self.comma();
        let out = self.out.own();
        json(out, key);
        out.push(b':');
        json(out, value);
    }

    /// An object under a key that was chosen at run time.
    pub(super) fn entry(&mut self, key: &str, fill: impl FnOnce(&mut Object<'_>)) {
        self.comma();
        let out = self.out.own();
        json(out, key);
        out.push(b':');
        object(self.out, fill);
    }

    pub(super) fn array<T>(
        &mut self,
        key: &'static str,
        items: impl IntoIterator<Item = T>,
        each: impl Fn(&mut Object<'_>, T),
    ) {
        self.key(key);
        objects(self.out, items, each);
    }

    /// The members of an object that is text already, without those in `except`.
    pub(super) fn merge(&mut self, raw: &str, except: &[&str]) {
        if except.iter().any(|key| raw.contains(key)) {
            let Ok(mut members) = serde_json::from_str::<Map<String, Value>>(raw) else {
                return;
            };
            members.retain(|key, _| !except.contains(&key.as_str()));
            for (key, value) in &members {
                self.member(key, value);
            }
            return;
        }
        let members = raw
            .trim()
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'));
        if let Some(members) = members.map(str::trim).filter(|members| !members.is_empty()) {
            self.comma();
            self.out.own().extend_from_slice(members.as_bytes());
        }
    }

    /// `io.modelcontextprotocol/serverInfo`, inside `_meta`.
    pub(super) fn server_info(&mut self, info: &ServerInfo) {
        self.object(SERVER_INFO, |object| {
            object.text("name", &info.name);
            object.optional_text("title", info.title.as_deref());
            object.text("version", &info.version);
        });
    }

    /// `_meta` with the server's name, and with what the tool itself put there.
    pub(super) fn server_meta(&mut self, own: Option<&str>, info: &ServerInfo) {
        self.object("_meta", |meta| {
            if let Some(own) = own {
                meta.merge(own, &[SERVER_INFO]);
            }
            meta.server_info(info);
        });
    }

    /// `_meta` that relates a message to a task, and with what the tool itself put there.
    pub(super) fn related_meta(&mut self, own: Option<&str>, task: Option<Related<'_>>) {
        match (own, task) {
            (None, None) => {}
            (Some(own), None) => self.raw("_meta", own),
            (own, Some(task)) => self.object("_meta", |meta| {
                if let Some(own) = own {
                    meta.merge(own, &[task.key()]);
                }
                meta.object(task.key(), |related| {
                    related.text("taskId", task.task_id());
                });
            }),
        }
    }

    /// `io.modelcontextprotocol/subscriptionId`, inside `_meta`.
    pub(super) fn subscription(&mut self, id: &RequestId) {
        self.id(SUBSCRIPTION_ID, id);
    }

    pub(super) fn error(&mut self, error: &RpcError) {
        self.object("error", |object| {
            json(object.key("code"), &error.code);
            object.text("message", &error.message);
            if let Some(data) = &error.data {
                object.raw("data", data.get());
            }
        });
    }
}

/// A response with a result.
pub(super) fn response(id: &RequestId, fill: impl FnOnce(&mut Object<'_>)) -> Frame {
    sized_response(SMALL, id, fill).joined()
}

/// A response whose result is about `size` bytes long.
pub(super) fn sized_response(
    size: usize,
    id: &RequestId,
    fill: impl FnOnce(&mut Object<'_>),
) -> Message {
    sized_message(size + SMALL, |message| {
        message.id("id", id);
        message.object("result", fill);
    })
}

pub(super) fn notification(method: &str, fill: impl FnOnce(&mut Object<'_>)) -> Frame {
    message(SMALL, |message| {
        message.text("method", method);
        message.object("params", fill);
    })
}

/// Any JSON-RPC message.
pub(super) fn message(size: usize, fill: impl FnOnce(&mut Object<'_>)) -> Frame {
    sized_message(size, fill).joined()
}

fn sized_message(size: usize, fill: impl FnOnce(&mut Object<'_>)) -> Message {
    let mut message = Message::with_capacity(size);
    object(&mut message, |message| {
        message.text("jsonrpc", "2.0");
        fill(message);
    });
    message
}

/// A JSON object as text.
pub(super) fn object_text(fill: impl FnOnce(&mut Object<'_>)) -> String {
    let mut out = Message::default();
    object(&mut out, fill);
    String::from_utf8(out.joined()).unwrap_or_default()
}

/// At most `max` bytes of a text, cut between characters.
pub(super) fn shorten(text: &str, max: usize) -> std::borrow::Cow<'_, str> {
    if text.len() <= max {
        return text.into();
    }
    let end = (0..=max)
        .rev()
        .find(|end| text.is_char_boundary(*end))
        .unwrap_or(0);
    format!("{}…", &text[..end]).into()
}

fn object(out: &mut Message, fill: impl FnOnce(&mut Object<'_>)) {
    out.own().push(b'{');
    fill(&mut Object { out, empty: true });
    out.own().push(b'}');
}

fn objects<T>(
    out: &mut Message,
    items: impl IntoIterator<Item = T>,
    each: impl Fn(&mut Object<'_>, T),
) {
    out.own().push(b'[');
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.own().push(b',');
        }
        object(out, |object| each(object, item));
    }
    out.own().push(b']');
}

fn write_id(out: &mut Vec<u8>, id: &RequestId) {
    match id {
        RequestId::Number(number) => json(out, number),
        RequestId::String(text) => json(out, text),
        RequestId::Huge(digits) => out.extend_from_slice(digits.as_bytes()),
    }
}

/// Appends `value` as JSON. Nothing that is written here can fail: the writer is memory, and every map has string keys.
fn json(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    let written = serde_json::to_writer(out, value);
    debug_assert!(written.is_ok(), "JSON into memory: {written:?}");
}

fn write_display(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    let written = out.write_fmt(text);
    debug_assert!(written.is_ok(), "text into memory: {written:?}");
}
