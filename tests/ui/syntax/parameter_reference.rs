use mcp_tasks::prelude::*;

struct Config;

/// Greets.
#[mcp_tool]
async fn t(name: &str, tags: &[String], nick: Option<&'static str>, config: &Config) -> String {
//~ `&str` a parameter that borrows
//~ `&[String]`
//~ `&'static str`
//~ `&Config`
    let Config = config;
    format!("{name}{tags:?}{nick:?}")
}

fn main() {
    let _ = tools![t];
}
