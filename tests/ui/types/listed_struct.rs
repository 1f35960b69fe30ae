use mcp_tasks::prelude::*;

struct Foo;

fn main() {
    let _ = tools![Foo];
    //~ `Foo` a listed struct
}
