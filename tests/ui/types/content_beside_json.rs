use mcp_tasks::prelude::*;

/// Counts.
#[mcp_tool]
async fn t() -> (Json<Vec<u32>>, u32) {
//~ `(Json<Vec<u32>>, u32)` something else than content beside `Json`
    (Json(Vec::new()), 1)
}

fn main() {
    let _ = tools![t];
}
