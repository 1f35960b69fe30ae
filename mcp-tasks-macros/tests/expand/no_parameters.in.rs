/// Answers.
#[mcp_tool]
#[cfg(feature = "ping")]
async fn ping() {}
