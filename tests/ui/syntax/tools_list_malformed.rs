use mcp_tasks::prelude::*;

mod jobs {
    use mcp_tasks::prelude::*;

    /// Greets.
    #[mcp_tool]
    pub async fn t() {}
}

fn main() {
    let _ = tools![];
    let _ = tools![jobs::t,];
    let _ = tools![jobs::t,,];
    //~ `,` a comma too many
    let _ = tools![, jobs::t];
    //~ `,`
    let _ = tools![jobs::*];
    //~ `*` all tools of a module
    let _ = tools![jobs::t::<u8>];
    //~ `<` a tool with type arguments
    let _ = tools![[jobs::t]];
    //~ `[` a list in the list
    let _ = tools![&jobs::t];
    //~ `&` a reference to a tool
    let _ = tools![|| jobs::t];
    //~ `|` a closure in the list
    let _ = tools![jobs::t as u];
    //~ `as` a new name for a tool
    let _ = tools![jobs::t; jobs::t];
    //~ `;` tools separated by `;`
}
