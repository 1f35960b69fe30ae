use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool]
async fn t(
    #[arg(header = "Mcp-Param-Region")] region: String,
    //~ `"Mcp-Param-Region"` a header with the prefix that it gets anyway
    #[arg(header = "Tags")] tags: Vec<String>,
    //~ `"Tags"` a list that a header cannot repeat
    #[arg(header = "Share")] share: Option<f64>,
    //~ `"Share"` a float that a header cannot repeat, which may be missing
) -> String {
    format!("{region}{tags:?}{share:?}")
}

fn main() {
    let _ = tools![t];
}
