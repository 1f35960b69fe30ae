//! Tools with attributes of other crates around them.

use renamed::{mcp_tool, tools};

/// Traced from within.
#[mcp_tool(crate = ::renamed)]
#[tracing::instrument(skip_all)]
async fn inside(text: String) -> String {
    text
}

/// Traced from without: the attribute has rewritten the function before it becomes a tool.
#[tracing::instrument]
#[mcp_tool(crate = ::renamed, blocking)]
fn outside(number: u8) -> String {
    number.to_string()
}

#[test]
fn the_functions_stay_callable() {
    assert_eq!(outside(5), "5");
    drop(inside(String::new()));
}

#[test]
fn the_tools_can_be_listed() {
    assert_eq!(
        format!("{:?}", tools![crate = ::renamed; inside, outside]),
        r#"["inside", "outside"]"#
    );
}
