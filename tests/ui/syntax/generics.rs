use mcp_tasks::prelude::*;

/// Has a type.
#[mcp_tool]
async fn t1<T: Into<String>>(name: T) -> String {
//~ `<T: Into<String>>` a generic function
    name.into()
}

/// Has a lifetime.
#[mcp_tool]
async fn t2<'a>(name: String) -> String {
//~ `<'a>` a lifetime
    name
}

/// Has a clause.
#[mcp_tool]
async fn t3(name: String) -> String
where
//~ `where` a `where` clause
    String: Clone,
{
    name
}

fn main() {
    let _ = tools![t1, t2, t3];
}
