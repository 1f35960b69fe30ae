/// Deploys.
#[mcp_tool(task(required, keep = "10m", begin = "manual"), timeout = LIMIT, needs(elicitation))]
async fn deploy(env: String) -> String {
    env
}
