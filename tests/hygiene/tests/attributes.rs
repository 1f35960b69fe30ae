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

/// Of another crate, where one of them is made by a macro and one is not there at all.
#[test]
fn the_tools_of_another_crate_can_be_listed() {
    let list = tools![crate = ::renamed; hygiene::tools::number, inside, hygiene::tools::work];
    assert_eq!(format!("{list:?}"), r#"["number", "inside", "work"]"#);
    assert_eq!(
        format!("{:?}", hygiene::all()),
        r#"["wait", "work", "measure", "old", "number", "text", "book", "nothing"]"#
    );
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
