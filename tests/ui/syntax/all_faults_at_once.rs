use mcp_tasks::prelude::*;

#[mcp_tool(titel = "Greeting", timeout = "soon", task(required, after = "1s"))]
//~ `titel` a misspelt option, first of ten faults in one tool
//~ `"soon"`
//~ `after`
fn t<T>(name: &str, #[arg(mni = 1)] age: T, #[cfg(unix)] nick: String) -> impl ToString {
//~ `fn`
//~ `t`
//~ `<T>`
//~ `&str`
//~ `mni`
//~ `#[cfg(unix)]`
//~ `impl ToString`
    let _ = (age, nick);
    name
}

fn main() {
    let _ = tools![t];
}
