use mcp_tasks::prelude::*;

/// Never there, and takes what does not exist.
#[mcp_tool]
#[cfg(any())]
async fn absent(value: Missing) -> Missing {
    value
}

/// Always there.
#[mcp_tool]
#[cfg(not(any()))]
async fn present(value: String) -> String {
    value
}

/// Here once...
#[mcp_tool(name = "either")]
#[cfg(any())]
async fn either() {}

/// ...and twice, of which one counts.
#[mcp_tool(name = "either")]
#[cfg(all())]
async fn either() {}

fn main() {
    let _ = tools![
        #[cfg(any())]
        absent,
        present,
        #[cfg(any())]
        present,
        #[cfg(all())]
        either
    ];
}
