use mcp_tasks::prelude::*;

#[mcp_tool("Greets.")]
//~ `"Greets."` a description without its option
async fn t1() {}

#[mcp_tool("Greets.", tilte = "Greeting")]
//~ `"Greets."`
//~ `tilte` a misspelt option behind it
async fn t2() {}

#[mcp_tool(desc = "Greets.")]
//~ `desc` a description whose option is cut short
async fn t3() {}

fn main() {
    let _ = tools![t1, t2, t3];
}
