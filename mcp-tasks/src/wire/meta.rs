//! `_meta` of a request, of either era.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, json};

use super::Revision;
use super::envelope::{ProgressToken, RequestId, Text, present};
use super::params::{given, ill_typed, level, members, object, required, string};
use crate::model::capability::{Capabilities, Capability};
use crate::model::error::RpcError;
use crate::model::level::LogLevel;

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
/// The tasks extension of 2026-07-28.
pub(super) const TASKS_EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// What a request's `_meta` says, of whatever era.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meta<'a> {
    /// `io.modelcontextprotocol/protocolVersion`, as it stands.
    pub(crate) version: Option<&'a RawValue>,
    pub(crate) capabilities: Option<&'a RawValue>,
    pub(crate) log_level: Option<&'a RawValue>,
    pub(crate) progress_token: Option<ProgressToken>,
    pub(crate) trace_parent: Option<String>,
    /// `modelcontextprotocol.io/task` of the SEP-1686 draft, as it stands.
    pub(crate) draft_task: Option<&'a RawValue>,
}

/// A modern request's metadata, checked.
#[derive(Clone, Debug)]
pub(crate) struct ModernMeta {
    pub(crate) revision: Revision,
    pub(crate) capabilities: Capabilities,
    pub(crate) log_level: Option<LogLevel>,
    pub(crate) progress_token: Option<ProgressToken>,
    pub(crate) trace_parent: Option<String>,
    /// The whole object, where it is kept for requests that bring the same.
    pub(crate) whole: Option<Arc<RawValue>>,
}

#[derive(Deserialize)]
struct Fields<'a> {
    #[serde(
        borrow,
        default,
        deserialize_with = "present",
        rename = "io.modelcontextprotocol/protocolVersion"
    )]
    version: Option<&'a RawValue>,
    #[serde(
        borrow,
        default,
        deserialize_with = "present",
        rename = "io.modelcontextprotocol/clientCapabilities"
    )]
    capabilities: Option<&'a RawValue>,
    #[serde(
        borrow,
        default,
        deserialize_with = "present",
        rename = "io.modelcontextprotocol/logLevel"
    )]
    log_level: Option<&'a RawValue>,
    #[serde(borrow, rename = "progressToken")]
    progress_token: Option<&'a RawValue>,
    #[serde(borrow)]
    traceparent: Option<&'a RawValue>,
    #[serde(borrow, rename = "modelcontextprotocol.io/task")]
    draft_task: Option<&'a RawValue>,
}

impl<'a> Meta<'a> {
    /// Reads a `_meta` object; unknown keys are skipped, ill-typed ones are kept raw for `modern` to refuse.
    pub(crate) fn read(raw: Option<&'a RawValue>) -> Result<Self, RpcError> {
        let Some(raw) = raw else {
            return Ok(Self::default());
        };
        let fields: Fields<'a> = object(raw, "_meta")?;
        let progress_token = fields
            .progress_token
            .map(|raw| {
                RequestId::read(raw)
                    .ok_or_else(|| ill_typed("_meta.progressToken", "a string or an integer"))
            })
            .transpose()?;
        Ok(Self {
            version: fields.version,
            capabilities: fields.capabilities,
            log_level: fields.log_level,
            progress_token,
            // W3C Trace Context: a header that cannot be read is as good as none.
            trace_parent: fields
                .traceparent
                .and_then(|raw| serde_json::from_str(raw.get()).ok()),
            draft_task: fields.draft_task,
        })
    }

    /// Whether the request is of the modern era by its metadata.
    pub(crate) fn is_modern(&self) -> bool {
        self.version.is_some()
    }

    /// The version, where it is a string at all.
    pub(crate) fn version_text(&self) -> Option<Cow<'a, str>> {
        let Text(text) = serde_json::from_str(self.version?.get()).ok()?;
        Some(text)
    }

    /// The checks of a modern request that need no header, in their order: required keys (-32602), version
    /// (-32022), capabilities and log level (-32602).
    pub(crate) fn modern(self) -> Result<ModernMeta, RpcError> {
        let version = string(required(self.version, VERSION)?, VERSION)?;
        let capabilities = required(self.capabilities, CAPABILITIES)?;
        if !capabilities.get().starts_with('{') {
            return Err(ill_typed(CAPABILITIES, "an object"));
        }
        let revision = Revision::parse(&version)
            .filter(|revision| *revision >= Revision::V2026_07_28)
            .ok_or_else(|| unsupported_version(&version))?;
        Ok(ModernMeta {
            revision,
            capabilities: read_capabilities(capabilities, revision)?,
            log_level: self
                .log_level
                .map(|raw| level(raw, LOG_LEVEL))
                .transpose()?,
            progress_token: self.progress_token,
            trace_parent: self.trace_parent,
            whole: None,
        })
    }
}

/// Only modern revisions are listed: a legacy one is spoken after `initialize` alone.
fn unsupported_version(requested: &str) -> RpcError {
    let supported = Revision::V2026_07_28.as_str();
    RpcError::new(
        RpcError::UNSUPPORTED_VERSION,
        "Unsupported protocol version",
    )
    .with_data(&json!({ "supported": [supported], "requested": requested }))
}

/// A `ClientCapabilities` object; `revision` decides what counts (elicitation since 2025-06-18, URL mode since
/// 2025-11-25, the tasks extension in 2026-07-28 alone).
pub(crate) fn read_capabilities(
    raw: &RawValue,
    revision: Revision,
) -> Result<Capabilities, RpcError> {
    let keys = ["elicitation", "sampling", "roots", "extensions"];
    let [elicits, samples, roots, extended] = members(raw, "capabilities", keys)?.map(given);
    let mut capabilities = Capabilities::NONE;
    if let Some(raw) = roots {
        members(raw, "capabilities.roots", [])?;
        capabilities = capabilities.with(Capability::Roots);
    }
    if let Some(raw) = samples {
        capabilities = sampling(capabilities, raw, revision)?;
    }
    if let Some(raw) = elicits.filter(|_| revision >= Revision::V2025_06_18) {
        capabilities = elicitation(capabilities, raw, revision)?;
    }
    if let Some(raw) = extended.filter(|_| revision >= Revision::V2026_07_28) {
        capabilities = extensions(capabilities, raw)?;
    }
    Ok(capabilities)
}

fn sampling(
    capabilities: Capabilities,
    raw: &RawValue,
    revision: Revision,
) -> Result<Capabilities, RpcError> {
    let [tools] = members(raw, "capabilities.sampling", ["tools"])?.map(given);
    let capabilities = capabilities.with(Capability::Sampling);
    match tools.filter(|_| revision >= Revision::V2025_11_25) {
        Some(raw) => {
            members(raw, "capabilities.sampling.tools", [])?;
            Ok(capabilities.with(Capability::SamplingTools))
        }
        None => Ok(capabilities),
    }
}

/// `{}` is form mode alone, as it was before there was another; `url` without `form` is URL mode alone.
fn elicitation(
    mut capabilities: Capabilities,
    raw: &RawValue,
    revision: Revision,
) -> Result<Capabilities, RpcError> {
    let [form, url] = members(raw, "capabilities.elicitation", ["form", "url"])?.map(given);
    if revision < Revision::V2025_11_25 {
        return Ok(capabilities.with(Capability::Elicitation));
    }
    if let Some(raw) = form {
        members(raw, "capabilities.elicitation.form", [])?;
    }
    if form.is_some() || url.is_none() {
        capabilities = capabilities.with(Capability::Elicitation);
    }
    if let Some(raw) = url {
        members(raw, "capabilities.elicitation.url", [])?;
        capabilities = capabilities.with(Capability::UrlElicitation);
    }
    Ok(capabilities)
}

fn extensions(capabilities: Capabilities, raw: &RawValue) -> Result<Capabilities, RpcError> {
    let [tasks] = members(raw, "capabilities.extensions", [TASKS_EXTENSION])?.map(given);
    match tasks {
        Some(raw) => {
            members(
                raw,
                "capabilities.extensions.io.modelcontextprotocol/tasks",
                [],
            )?;
            Ok(capabilities.with(Capability::Tasks))
        }
        None => Ok(capabilities),
    }
}

/// The -32021 error for what is missing, with `data.requiredCapabilities`.
pub(crate) fn missing_capability(missing: Capability) -> RpcError {
    missing_capabilities([missing])
}

/// The same for all that is missing, as the client would declare it.
pub(crate) fn missing_capabilities(missing: impl IntoIterator<Item = Capability>) -> RpcError {
    let mut required = json!({});
    for capability in missing {
        let path: &[&str] = match capability {
            Capability::Elicitation => &["elicitation", "form"],
            Capability::UrlElicitation => &["elicitation", "url"],
            Capability::Sampling => &["sampling"],
            Capability::SamplingTools => &["sampling", "tools"],
            Capability::Roots => &["roots"],
            Capability::Tasks => &["extensions", TASKS_EXTENSION],
        };
        let mut place = &mut required;
        for key in path {
            place = &mut place[*key];
            if place.is_null() {
                *place = json!({});
            }
        }
    }
    RpcError::new(
        RpcError::MISSING_CAPABILITY,
        "Missing required client capability",
    )
    .with_data(&Map::from_iter([("requiredCapabilities".to_owned(), required)]).into())
}

#[cfg(test)]
mod tests;
