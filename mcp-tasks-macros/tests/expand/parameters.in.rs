/// Searches the archive.
///
/// Newest first.
#[mcp_tool(title = "Search", read_only, max_running = 4)]
pub async fn search(
    /// What to look for
    #[arg(min_len = 1)]
    query: String,
    #[arg(default = 10, max = 50)] limit: u32,
    #[arg(default, rename = "tag")] tags: Vec<String>,
    ctx: Context,
    State(db): State<Db>,
) -> Result<Json<Hits>, ToolError> {
    db.search(ctx, query, limit, tags).await
}
