use mcp_tasks::prelude::*;

#[mcp_tool(titel = "Greeting", timeout = "soon", task(required, after = "1s"))]
fn t<T>(name: &str, #[arg(mni = 1)] age: T, #[cfg(unix)] nick: String) -> impl ToString {
    let _ = (age, nick);
    name
}

fn main() {
    let _ = tools![t];
}
