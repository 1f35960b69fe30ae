use mcp_tasks::prelude::*;

struct User;

impl mcp_tasks::FromContext for User {
    fn from_context(_: &Context) -> Result<Self, ToolError> {
        Ok(User)
    }
}

/// Greets.
#[mcp_tool]
async fn t(#[arg(inject)] user: Option<User>) -> String {
//~ `Option<User>` `inject` on an `Option` of a value that is always there
    if let Some(User) = user { "you" } else { "whoever" }.to_owned()
}

fn main() {
    let _ = tools![t];
}
