use mcp_tasks::prelude::*;

/// Routes.
#[mcp_tool]
async fn t(
    #[arg(header = "Region")] region: String,
    #[arg(header = "region")] zone: String,
    //~ `"region"` two parameters in one header
    #[arg(header = "")] empty: String,
    //~ `""` a header without a name
    #[arg(header = "a b")] spaced: String,
    //~ `"a b"` a character that no header has
    #[arg(header)] bare: String,
    //~ `header` a header that is no string
    #[arg(header = "Ratio")] ratio: f64,
    //~ `"Ratio"` an argument that no header can repeat
    #[arg(header = "Pair")] pair: (u8, u8),
    //~ `"Pair"`
    #[arg(inject, header = "Ctx")] ctx: Context,
    //~ `header` a header for an injected value
) {
    let _ = (region, zone, empty, spaced, bare, ratio, pair, ctx);
}

fn main() {
    let _ = tools![t];
}
