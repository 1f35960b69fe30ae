//! `analyze_dataset` keeps its word: it asks before it reads on, and what it has read counts whatever the answer.

use std::path::Path;

use examples::analyze_dataset::server;
use examples::data_dir::DataDir;
use mcp_tasks::Server;
use mcp_tasks::testing::{Client, every_client};
use serde_json::{Value, json};

fn penguins() -> Server {
    server(DataDir::new(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("data"),
    ))
}

/// A call that has to ask: the file has 344 rows.
fn arguments() -> Value {
    json!({ "dataset": "penguins.csv", "row_limit": 100 })
}

#[tokio::test(start_paused = true)]
async fn a_yes_reads_the_file_to_its_end() {
    for kind in every_client().filter(|kind| kind.asks()) {
        let mut client = Client::connect(&penguins(), kind).await;
        let call = client.call("analyze_dataset", arguments());
        let outcome = call.accept(json!({ "go_on": true })).await;
        let report = outcome.structured().expect("structured content");
        assert_eq!(report["rows"], 344, "{kind}");
        assert_eq!(report["complete"], true, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_no_reports_what_has_been_read() {
    for kind in every_client().filter(|kind| kind.asks()) {
        let mut client = Client::connect(&penguins(), kind).await;
        let outcome = client.call("analyze_dataset", arguments()).decline().await;
        let report = outcome.structured().expect("structured content");
        assert_eq!(report["rows"], 100, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_cannot_be_asked_gets_a_report_too() {
    for kind in every_client() {
        let client = Client::builder(kind).capabilities(json!({}));
        let mut client = client.connect(&penguins()).await;
        let outcome = client.call("analyze_dataset", arguments()).await;
        assert!(outcome.text().contains("row_limit"), "{kind}: {outcome:?}");
    }
}
