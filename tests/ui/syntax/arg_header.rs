use mcp_tasks::prelude::*;

/// Routes.
#[mcp_tool]
async fn t(
    #[arg(header = "Region")] region: String,
    #[arg(header = "region")] zone: String,
    #[arg(header = "")] empty: String,
    #[arg(header = "a b")] spaced: String,
    #[arg(header)] bare: String,
    #[arg(header = "Ratio")] ratio: f64,
    #[arg(header = "Pair")] pair: (u8, u8),
    #[arg(inject, header = "Ctx")] ctx: Context,
) {
    let _ = (region, zone, empty, spaced, bare, ratio, pair, ctx);
}

fn main() {
    let _ = tools![t];
}
