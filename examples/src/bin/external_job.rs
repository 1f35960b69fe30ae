//! Serves `examples::external_job` over stdio.

use examples::external_job::{self, jobs::JobService};

#[tokio::main]
async fn main() -> Result<(), mcp_tasks::Error> {
    external_job::server(JobService::default())
        .serve_stdio()
        .await
}
