use std::sync::Arc;

use serde_json::json;

use super::*;

#[derive(Debug)]
struct Layer {
    text: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Error for Layer {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_ref().map(|source| source.as_ref() as _)
    }
}

fn layer(text: &str, source: impl Into<Box<dyn Error + Send + Sync>>) -> Layer {
    Layer {
        text: text.to_owned(),
        source: Some(source.into()),
    }
}

fn shown(error: impl Into<ToolError>) -> String {
    match error.into().failure(8192, false) {
        Failure::Tool { text } => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_text_is_the_error_and_its_sources() {
    assert_eq!(shown("plain"), "plain");
    assert_eq!(shown(String::from("owned")), "owned");
    assert_eq!(
        shown(layer("deploy failed", layer("no route", "timed out"))),
        "deploy failed: no route: timed out"
    );
    assert_eq!(shown(std::io::Error::other("disk")), "disk");
}

#[test]
fn a_source_that_its_parent_prints_is_not_repeated() {
    assert_eq!(
        shown(layer("reading a.txt: gone", layer("gone", "errno 2"))),
        "reading a.txt: gone: errno 2"
    );
    assert_eq!(shown(layer("same", "same")), "same");
}

#[test]
fn a_huge_text_is_cut_at_the_cap() {
    for error in [
        ToolError::from("é".repeat(1_000_000)),
        layer("short", "é".repeat(1_000_000)).into(),
    ] {
        let text = shown(error);
        assert!(text.len() <= 8192 && text.len() > 8000, "{}", text.len());
        assert!(text.ends_with("(cut)"));
    }
}

#[test]
fn a_display_that_panics_or_fails_leaves_a_neutral_text() {
    #[derive(Debug)]
    struct Bad(bool);
    impl fmt::Display for Bad {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            if self.0 {
                panic!("secret")
            } else {
                Err(fmt::Error)
            }
        }
    }
    impl Error for Bad {}
    assert_eq!(
        shown(Bad(true)),
        "the tool failed, and so did the description of its error"
    );
    assert_eq!(shown(Bad(false)), "");
}

#[test]
fn an_endless_chain_of_sources_ends() {
    #[derive(Debug)]
    struct Loop;
    impl fmt::Display for Loop {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("loop")
        }
    }
    impl Error for Loop {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(self)
        }
    }
    assert_eq!(shown(Loop), "loop");
    assert!(ToolError::from(Loop).ask_error().is_none());
}

#[test]
fn an_ask_error_is_found_alone_and_below_others() {
    assert_eq!(
        ToolError::from(AskError::TimedOut).ask_error(),
        Some(&AskError::TimedOut)
    );
    let wrapped = ToolError::from(layer("no answer", AskError::Unsupported(Capability::Roots)));
    assert!(matches!(
        wrapped.failure(100, false),
        Failure::Missing(Capability::Roots)
    ));
    assert_eq!(
        shown(AskError::Gone),
        "the client went away before it answered"
    );
}

#[test]
fn an_error_whose_source_panics_leaves_a_neutral_text() {
    #[derive(Debug)]
    struct Bad;
    impl fmt::Display for Bad {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("bad")
        }
    }
    impl Error for Bad {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            panic!("secret")
        }
    }
    assert_eq!(
        shown(Bad),
        "the tool failed, and so did the description of its error"
    );
}

#[test]
fn what_the_client_lacks_is_found_inside_errors_that_show_only_their_sources() {
    let lacking = || AskError::Unsupported(Capability::Sampling);
    let wrapped: [ToolError; 4] = [
        std::io::Error::other(lacking()).into(),
        std::io::Error::other(std::io::Error::other(lacking())).into(),
        Arc::new(lacking()).into(),
        Box::new(lacking()).into(),
    ];
    for error in wrapped {
        let failure = error.failure(100, false);
        assert!(
            matches!(failure, Failure::Missing(Capability::Sampling)),
            "{failure:?}"
        );
    }
}

#[test]
fn a_protocol_error_keeps_code_message_and_data() {
    let error = ToolError::protocol(ErrorCode::INVALID_PARAMS, "no such project")
        .with_data(json!({"p": 1}));
    let Failure::Protocol(error) = error.failure(10, false) else {
        panic!("not a protocol error")
    };
    assert_eq!((error.code, &*error.message), (-32602, "no such project"));
    assert_eq!(error.data.unwrap().get(), r#"{"p":1}"#);
    assert_eq!(shown(ToolError::from("x").with_data(1)), "x");
}

#[test]
fn reserved_codes_are_refused() {
    for reserved in [
        -32768,
        -32700,
        -32601,
        -32600,
        -32000,
        -32042,
        -32021,
        i64::MIN,
        i64::MAX,
    ] {
        assert_eq!(ErrorCode::new(reserved), None, "{reserved}");
    }
    for own in [-32602, -32603, 0, 1, -31999, -32769, 9_007_199_254_740_991] {
        assert_eq!(ErrorCode::new(own).map(ErrorCode::get), Some(own));
    }
}

#[test]
fn errors_of_every_kind_convert() {
    fn io() -> Result<(), ToolError> {
        Err(std::io::Error::other("x"))?
    }
    fn boxed() -> Result<(), ToolError> {
        Err(Box::<dyn Error + Send + Sync>::from("x"))?
    }
    fn shared() -> Result<(), ToolError> {
        Err(Arc::new(std::io::Error::other("x")))?
    }
    for failed in [io(), boxed(), shared()] {
        assert_eq!(failed.unwrap_err().to_string(), "x");
    }
}
