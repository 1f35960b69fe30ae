//! How client and server introduce themselves, in either era.

use serde_json::{Value, json};

use super::{Object, key, object};
use crate::model::capability::{Capabilities, Capability};
use crate::model::error::RpcError;
use crate::model::level::LogLevel;
use crate::model::remote::RemoteServer;
use crate::wire::Revision;

/// Who the client says it is.
#[derive(Clone, Debug)]
pub(crate) struct ClientInfo {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) version: String,
}

impl ClientInfo {
    fn json(&self, revision: Revision) -> Value {
        let mut info = json!({ "name": self.name, "version": self.version });
        if let Some(title) = self
            .title
            .as_ref()
            .filter(|_| revision >= Revision::V2025_06_18)
        {
            info["title"] = title.as_str().into();
        }
        info
    }
}

/// The parameters of `initialize`.
pub(crate) fn initialize(
    revision: Revision,
    info: &ClientInfo,
    capabilities: Capabilities,
) -> Object {
    let mut params = Object::new();
    params.insert("protocolVersion".into(), revision.as_str().into());
    params.insert(
        "capabilities".into(),
        declared(revision, capabilities).into(),
    );
    params.insert("clientInfo".into(), info.json(revision));
    params
}

/// What every request of 2026-07-28 says in `_meta`.
pub(crate) fn modern_meta(
    info: &ClientInfo,
    capabilities: Capabilities,
    log_level: Option<LogLevel>,
) -> Object {
    let revision = Revision::V2026_07_28;
    let mut meta = Object::new();
    meta.insert(key::VERSION.into(), revision.as_str().into());
    meta.insert(key::CLIENT_INFO.into(), info.json(revision));
    meta.insert(
        key::CAPABILITIES.into(),
        declared(revision, capabilities).into(),
    );
    if let Some(level) = log_level {
        meta.insert(key::LOG_LEVEL.into(), level.as_str().into());
    }
    meta
}

/// `ClientCapabilities`, as far as the revision knows them.
fn declared(revision: Revision, capabilities: Capabilities) -> Object {
    let has = |capability| capabilities.has(capability);
    let mut declared = Object::new();
    let mut elicitation = Object::new();
    if revision >= Revision::V2025_11_25 {
        if has(Capability::Elicitation) {
            elicitation.insert("form".into(), json!({}));
        }
        if has(Capability::UrlElicitation) {
            elicitation.insert("url".into(), json!({}));
        }
    }
    // Before there were modes there were forms alone.
    let forms = revision >= Revision::V2025_06_18 && has(Capability::Elicitation);
    if forms || !elicitation.is_empty() {
        declared.insert("elicitation".into(), elicitation.into());
    }
    if has(Capability::Sampling) {
        let mut sampling = Object::new();
        if has(Capability::SamplingTools) && revision >= Revision::V2025_11_25 {
            sampling.insert("tools".into(), json!({}));
        }
        declared.insert("sampling".into(), sampling.into());
    }
    if has(Capability::Roots) {
        declared.insert("roots".into(), json!({}));
    }
    if has(Capability::Tasks) && revision >= Revision::V2026_07_28 {
        declared.insert("extensions".into(), json!({ (key::TASKS): {} }));
    }
    declared
}

/// The answer to `initialize`: the revision's name, and the server.
pub(crate) fn initialized(result: Value) -> Result<(String, RemoteServer), String> {
    let mut result = object(result, "the answer to `initialize`")?;
    let Some(Value::String(version)) = result.remove("protocolVersion") else {
        return Err("the answer to `initialize` names no `protocolVersion`".to_owned());
    };
    let info = result.remove("serverInfo");
    Ok((version, server(result, info.as_ref())))
}

/// The answer to `server/discover`: the revisions it supports, and the server. An answer without a list of revisions
/// comes from something else that happens to answer.
pub(crate) fn discovered(result: Value) -> Option<(Vec<String>, RemoteServer)> {
    let mut result = object(result, "").ok()?;
    let versions = texts(result.get("supportedVersions")?)?;
    let meta = result.remove("_meta");
    let info = meta.as_ref().and_then(|meta| meta.get(key::SERVER_INFO));
    // Where it stood before 2026-07-28 was final.
    let old = result.remove("serverInfo");
    Some((versions, server(result, info.or(old.as_ref()))))
}

/// The revisions that an error -32022 lists; `None` for another error.
pub(crate) fn supported(error: &RpcError) -> Option<Vec<String>> {
    if error.code != RpcError::UNSUPPORTED_VERSION {
        return None;
    }
    let data: Value = serde_json::from_str(error.data.as_ref()?.get()).ok()?;
    texts(data.get("supported")?)
}

/// Errors that nothing before 2026-07-28 has.
pub(crate) fn is_modern_error(error: &RpcError) -> bool {
    match error.code {
        RpcError::HEADER_MISMATCH | RpcError::MISSING_CAPABILITY => true,
        RpcError::UNSUPPORTED_VERSION => supported(error).is_some(),
        _ => false,
    }
}

fn texts(value: &Value) -> Option<Vec<String>> {
    let texts = value.as_array()?.iter();
    Some(
        texts
            .filter_map(|text| text.as_str().map(str::to_owned))
            .collect(),
    )
}

fn server(mut result: Object, info: Option<&Value>) -> RemoteServer {
    let text = |key: &str| Some(info?.get(key)?.as_str()?.to_owned());
    let capabilities = match result.remove("capabilities") {
        Some(Value::Object(capabilities)) => capabilities,
        _ => Object::new(),
    };
    let instructions = match result.remove("instructions") {
        Some(Value::String(instructions)) => Some(instructions),
        _ => None,
    };
    RemoteServer {
        name: text("name").unwrap_or_default(),
        title: text("title"),
        version: text("version").unwrap_or_default(),
        instructions,
        capabilities,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Capabilities {
        use Capability::{Elicitation, Roots, Sampling, SamplingTools, Tasks, UrlElicitation};
        [
            Elicitation,
            UrlElicitation,
            Sampling,
            SamplingTools,
            Roots,
            Tasks,
        ]
        .into_iter()
        .fold(Capabilities::NONE, Capabilities::with)
    }

    #[test]
    fn each_revision_is_told_what_it_knows() {
        for (revision, expected) in [
            (
                Revision::V2025_03_26,
                json!({ "sampling": {}, "roots": {} }),
            ),
            (
                Revision::V2025_06_18,
                json!({ "elicitation": {}, "sampling": {}, "roots": {} }),
            ),
            (
                Revision::V2025_11_25,
                json!({ "elicitation": { "form": {}, "url": {} }, "sampling": { "tools": {} }, "roots": {} }),
            ),
            (
                Revision::V2026_07_28,
                json!({
                    "elicitation": { "form": {}, "url": {} },
                    "sampling": { "tools": {} },
                    "roots": {},
                    "extensions": { "io.modelcontextprotocol/tasks": {} },
                }),
            ),
        ] {
            assert_eq!(
                Value::from(declared(revision, all())),
                expected,
                "{revision:?}"
            );
            assert!(declared(revision, Capabilities::NONE).is_empty());
        }
    }

    #[test]
    fn a_client_for_urls_alone_declares_no_forms() {
        let urls = Capabilities::NONE.with(Capability::UrlElicitation);
        let modern = Value::from(declared(Revision::V2026_07_28, urls));
        assert_eq!(modern, json!({ "elicitation": { "url": {} } }));
        assert!(declared(Revision::V2025_06_18, urls).is_empty());
    }

    #[test]
    fn only_an_answer_that_lists_revisions_is_a_discovery() {
        assert!(discovered(json!({})).is_none());
        let (versions, server) = discovered(json!({
            "supportedVersions": ["2026-07-28"],
            "capabilities": { "tools": {} },
            "_meta": { "io.modelcontextprotocol/serverInfo": { "name": "ops", "version": "1" } },
        }))
        .expect("a discovery");
        assert_eq!(versions, ["2026-07-28"]);
        assert_eq!(
            (server.name.as_str(), server.version.as_str()),
            ("ops", "1")
        );
        assert!(server.offers(&["tools"]) && !server.offers(&["tools", "listChanged"]));
    }

    #[test]
    fn a_modern_error_is_known_by_its_code_and_its_data() {
        let unsupported = RpcError::new(-32022, "no");
        assert!(!is_modern_error(&unsupported));
        let told = unsupported.with_data(&json!({ "supported": ["2026-07-28"], "requested": "x" }));
        assert!(is_modern_error(&told));
        assert!(!is_modern_error(&RpcError::new(-32601, "Method not found")));
    }
}
