use super::*;
use crate::wire::samples::raw;

fn modern(json: &str) -> Result<ModernMeta, RpcError> {
    let raw = raw(json);
    Meta::read(Some(&raw))?.modern()
}

fn full(version: &str, capabilities: &str, more: &str) -> String {
    format!(
        r#"{{"io.modelcontextprotocol/protocolVersion":{version},"io.modelcontextprotocol/clientCapabilities":{capabilities}{more}}}"#
    )
}

fn capabilities(json: &str, revision: Revision) -> Vec<Capability> {
    let read = read_capabilities(&raw(json), revision).expect("readable");
    ALL.into_iter()
        .filter(|capability| read.has(*capability))
        .collect()
}

const ALL: [Capability; 6] = [
    Capability::Elicitation,
    Capability::UrlElicitation,
    Capability::Sampling,
    Capability::SamplingTools,
    Capability::Roots,
    Capability::Tasks,
];

#[test]
fn a_modern_request_says_everything_in_its_metadata() {
    let meta = modern(&full(
        "\"2026-07-28\"",
        r#"{"roots":{}}"#,
        r#","io.modelcontextprotocol/logLevel":"info","progressToken":"p","traceparent":"00-a-b-01","x.test/y":[1]"#,
    ))
    .expect("modern");
    assert!(meta.capabilities.has(Capability::Roots));
    assert_eq!(meta.log_level, Some(LogLevel::Info));
    assert_eq!(meta.progress_token, Some(RequestId::String("p".into())));
    assert_eq!(meta.trace_parent.as_deref(), Some("00-a-b-01"));
}

#[test]
fn metadata_without_a_version_is_of_the_legacy_era() {
    let token = raw(r#"{"progressToken":7}"#);
    let meta = Meta::read(Some(&token)).expect("readable");
    assert!(!meta.is_modern());
    assert_eq!(meta.progress_token, Some(RequestId::Number(7.into())));
    assert!(!Meta::read(None).expect("absent").is_modern());
}

#[test]
fn an_ill_typed_version_is_modern_and_refused() {
    for version in ["null", "7", "{}"] {
        let json = raw(&full(version, "{}", ""));
        let meta = Meta::read(Some(&json)).expect("readable");
        assert!(meta.is_modern());
        assert_eq!(
            meta.modern().expect_err("refused").code,
            -32602,
            "{version}"
        );
    }
}

#[test]
fn required_keys_come_before_the_version() {
    let error = modern(r#"{"io.modelcontextprotocol/protocolVersion":"1999-01-01"}"#);
    assert_eq!(error.expect_err("no capabilities").code, -32602);
    let error = modern(r#"{"io.modelcontextprotocol/clientCapabilities":{}}"#);
    assert_eq!(error.expect_err("no version").code, -32602);
    let error = modern(&full("\"1999-01-01\"", "7", ""));
    assert_eq!(error.expect_err("ill-typed capabilities").code, -32602);
    assert_eq!(Meta::default().modern().expect_err("nothing").code, -32602);
}

#[test]
fn an_unsupported_version_is_told_what_is_supported() {
    for version in ["1999-01-01", "2025-11-25", ""] {
        let more = r#","io.modelcontextprotocol/logLevel":"loud""#;
        let error = modern(&full(&format!("\"{version}\""), "{}", more)).expect_err("refused");
        assert_eq!(error.code, -32022);
        let data = error.data.expect("data");
        assert_eq!(
            data.get(),
            format!(r#"{{"supported":["2026-07-28"],"requested":"{version}"}}"#)
        );
    }
}

#[test]
fn a_log_level_that_is_none_is_refused() {
    for level in ["\"loud\"", "7", "null"] {
        let more = format!(r#","io.modelcontextprotocol/logLevel":{level}"#);
        let error = modern(&full("\"2026-07-28\"", "{}", &more)).expect_err("refused");
        assert_eq!(error.code, -32602, "{level}");
    }
}

#[test]
fn metadata_that_is_no_object_is_refused() {
    for json in [
        "[]",
        "7",
        "\"x\"",
        r#"{"progressToken":1.5}"#,
        r#"{"progressToken":1,"progressToken":2}"#,
    ] {
        assert_eq!(
            Meta::read(Some(&raw(json))).expect_err("refused").code,
            -32602,
            "{json}"
        );
    }
}

#[test]
fn a_trace_parent_that_cannot_be_read_is_as_good_as_none() {
    let json = raw(r#"{"traceparent":7,"progressToken":null}"#);
    let meta = Meta::read(Some(&json)).expect("readable");
    assert_eq!((meta.trace_parent, meta.progress_token), (None, None));
}

#[test]
fn elicitation_counts_since_2025_06_18_and_its_modes_since_2025_11_25() {
    use Capability::{Elicitation, UrlElicitation};
    use Revision::{V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
    for (json, revision, expected) in [
        (r#"{"elicitation":{}}"#, V2025_03_26, vec![]),
        (r#"{"elicitation":7}"#, V2025_03_26, vec![]),
        (r#"{"elicitation":{}}"#, V2025_06_18, vec![Elicitation]),
        (
            r#"{"elicitation":{"url":{}}}"#,
            V2025_06_18,
            vec![Elicitation],
        ),
        (r#"{"elicitation":{}}"#, V2025_11_25, vec![Elicitation]),
        (
            r#"{"elicitation":{"form":{}}}"#,
            V2025_11_25,
            vec![Elicitation],
        ),
        (
            r#"{"elicitation":{"url":{}}}"#,
            V2025_11_25,
            vec![UrlElicitation],
        ),
        (
            r#"{"elicitation":{"form":{},"url":{}}}"#,
            V2026_07_28,
            vec![Elicitation, UrlElicitation],
        ),
        (
            r#"{"elicitation":{"url":{},"form":null}}"#,
            V2026_07_28,
            vec![UrlElicitation],
        ),
        (r#"{"elicitation":null}"#, V2026_07_28, vec![]),
        ("{}", V2026_07_28, vec![]),
    ] {
        assert_eq!(
            capabilities(json, revision),
            expected,
            "{json} in {revision:?}"
        );
    }
}

#[test]
fn tools_in_sampling_count_since_2025_11_25() {
    use Capability::{Roots, Sampling, SamplingTools};
    let json = r#"{"sampling":{"tools":{},"context":{}},"roots":{"listChanged":true}}"#;
    assert_eq!(capabilities(json, Revision::V2025_06_18), [Sampling, Roots]);
    assert_eq!(
        capabilities(json, Revision::V2025_11_25),
        [Sampling, SamplingTools, Roots]
    );
}

#[test]
fn the_tasks_extension_counts_in_2026_07_28_alone() {
    let json =
        r#"{"extensions":{"io.modelcontextprotocol/tasks":{},"x.test/y":1},"tasks":{"list":{}}}"#;
    assert_eq!(capabilities(json, Revision::V2025_11_25), []);
    assert_eq!(
        capabilities(json, Revision::V2026_07_28),
        [Capability::Tasks]
    );
    assert_eq!(
        capabilities(r#"{"tasks":{"requests":{}}}"#, Revision::V2026_07_28),
        []
    );
}

#[test]
fn a_declaration_that_is_no_object_is_refused() {
    for json in [
        "[]",
        r#"{"elicitation":true}"#,
        r#"{"elicitation":{"form":1}}"#,
        r#"{"elicitation":{"url":[]}}"#,
        r#"{"sampling":1}"#,
        r#"{"sampling":{"tools":true}}"#,
        r#"{"roots":"yes"}"#,
        r#"{"extensions":[]}"#,
        r#"{"extensions":{"io.modelcontextprotocol/tasks":true}}"#,
    ] {
        let error = read_capabilities(&raw(json), Revision::V2026_07_28).expect_err(json);
        assert_eq!(error.code, -32602, "{json}");
    }
}

#[test]
fn a_missing_capability_is_named_as_the_client_would_declare_it() {
    for (capability, required) in ALL.into_iter().zip([
        r#"{"elicitation":{"form":{}}}"#,
        r#"{"elicitation":{"url":{}}}"#,
        r#"{"sampling":{}}"#,
        r#"{"sampling":{"tools":{}}}"#,
        r#"{"roots":{}}"#,
        r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#,
    ]) {
        let error = missing_capability(capability);
        assert_eq!(error.code, -32021);
        assert_eq!(&*error.message, "Missing required client capability");
        let data = error.data.expect("data");
        assert_eq!(
            data.get(),
            format!(r#"{{"requiredCapabilities":{required}}}"#)
        );
        let declared = read_capabilities(&raw(required), Revision::V2026_07_28).expect("readable");
        assert!(declared.has(capability), "{required}");
    }
}
