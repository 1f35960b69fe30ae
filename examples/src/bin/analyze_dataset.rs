//! Serves `examples::analyze_dataset` over stdio.

use examples::analyze_dataset;
use examples::data_dir::DataDir;

#[tokio::main]
async fn main() -> Result<(), mcp_tasks::Error> {
    analyze_dataset::server(DataDir::from_env())
        .serve_stdio()
        .await
}
