use mcp_tasks::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct User;

/// Greets.
#[mcp_tool]
async fn t(#[arg(inject)] user: User) -> String {
//~ `User` `inject` on a type without `FromContext`
    let User = user;
    String::new()
}

fn main() {
    let _ = tools![t];
}
