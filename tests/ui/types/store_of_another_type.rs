use mcp_tasks::prelude::*;

struct Foo;

fn main() {
    let _ = Server::new("tasks").store(Foo);
    //~ `Foo` a store that is none
}
