use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t1(names: Vec<&str>, bytes: Option<&[u8]>, pair: (&str, u8)) -> String {
    //~ `&str` a borrowed type inside of another
    //~ `&[u8]`
    //~ `&str`
    format!("{names:?}{bytes:?}{pair:?}")
}

/// Greets.
#[mcp_tool]
async fn t2(names: &Option<Vec<String>>, ctx: &Context, state: State<&'static str>) -> String {
    //~ `&Option<Vec<String>>` a type behind a reference
    //~ `&Context` a `Context` behind a reference
    //~ `&'static str` a state that is borrowed
    format!("{names:?}{ctx:?}{state:?}")
}

/// Greets.
#[mcp_tool]
async fn t3(ctx: &mut Context) {
    //~ `&mut Context`
    let _ = ctx;
}

fn main() {
    let _ = tools![t1, t2, t3];
}
