use mcp_tasks::prelude::*;

/// Greets.
#[mcp_tool(max_running = 99999999999999999999, timeout = Duration::from_secs(5))]
//~ `99999999999999999999` a count that is too large
//~ `Duration::from_secs(5)` a call in place of a duration
async fn t1(
    #[arg(max_len = 99999999999999999999)] name: String,
    //~ `99999999999999999999`
    #[arg(max = 1e999)] share: f64,
    //~ `1e999` a bound that no float has
    #[arg(max_items = -1)] tags: Vec<u8>,
    //~ `-1` a length below zero
) -> String {
    format!("{name}{share}{tags:?}")
}

/// Greets.
#[mcp_tool(task(keep = 90, poll_interval = "", after = "-5s"), cancel_grace = "99999999999999999999d")]
//~ `90` a duration that is a number
//~ `""` an empty duration
//~ `"-5s"` a duration below zero
//~ `"99999999999999999999d"` a duration that is too large
async fn t2() {}

fn main() {
    let _ = tools![t1, t2];
}
