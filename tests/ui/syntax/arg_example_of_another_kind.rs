use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(
    #[arg(example = 5)] name: String,
    //~ `5` an example of another kind
    #[arg(example = "5")] age: u8,
    //~ `"5"`
    #[arg(example = 1.5)] count: Option<u64>,
    //~ `1.5`
    #[arg(example = true)] share: f64,
    //~ `true`
    #[arg(example = "yes")] agreed: bool,
    //~ `"yes"`
    #[arg(example = "a")] tags: Vec<String>,
    //~ `"a"`
    #[arg(example = ["a"])] note: String,
    //~ `["a"]`
    #[arg(example = 1)] fine: f64,
) -> String {
    format!("{name}{age}{count:?}{share}{agreed}{tags:?}{note}{fine}")
}

fn main() {
    let _ = tools![t];
}
