//! A long tool with a question in the middle: what does a CSV file hold, column by column?
//!
//! The question comes when a part of the file is read, and what has been read counts whatever the answer. Results are
//! data with a schema, and a summary for people.
//!
//! Run it: `cargo run -p examples --bin analyze_dataset`. Files are read from the folder named by `DATA_DIR`, else from the
//! working directory. `drive` calls it over stdio on both task wires.

use mcp_tasks::AskError;
use mcp_tasks::prelude::*;
use tokio::task::spawn_blocking;

use crate::analysis::{Analysis, Report};
use crate::data_dir::DataDir;

/// Whether and how far to read on.
#[derive(ElicitForm)]
struct ReadOn {
    /// Read on?
    #[form(default = true)]
    go_on: bool,
    /// Stop after this many rows in all; leave it empty to read the whole file
    #[form(min = 1)]
    rows_at_most: Option<u64>,
}

/// Analyse a CSV file: type, missing values, range, mean and distinct values of each column.
#[mcp_tool(task(poll_interval = "200ms"), read_only)]
async fn analyze_dataset(
    /// CSV file with a header, relative to the data directory
    dataset: String,
    /// Ask before reading more rows than this
    #[arg(default = 100_000, min = 1)]
    row_limit: u64,
    State(data): State<DataDir>,
    ctx: Context,
) -> Result<Json<Report>, ToolError> {
    let name = dataset.clone();
    let mut analysis = spawn_blocking(move || open(&data, &dataset)).await??;
    analysis = read(analysis, row_limit, &ctx).await?;
    if !analysis.finished() {
        let rows = ask_how_far(&analysis, &ctx).await?;
        analysis = read(analysis, rows, &ctx).await?;
    }
    let report = analysis.report(name);
    let mut summary = report.to_string();
    if !report.complete {
        summary.push_str("\nA call with a larger `row_limit` reads further.");
    }
    Ok(Json(report).text(summary))
}

fn open(data: &DataDir, dataset: &str) -> Result<Analysis, ToolError> {
    Ok(Analysis::open(&data.find(dataset)?)?)
}

/// Reads until `limit` rows are read in all. Files block, so each chunk is read on a blocking thread;
/// a cancelled call ends at the `await` between two of them.
async fn read(mut analysis: Analysis, limit: u64, ctx: &Context) -> Result<Analysis, ToolError> {
    while !analysis.finished() && analysis.rows() < limit {
        analysis = spawn_blocking(move || analysis.read_chunk(limit)).await??;
        let rows = format!("{} rows", analysis.rows());
        ctx.progress(analysis.bytes_read(), analysis.bytes(), rows);
    }
    Ok(analysis)
}

/// The number of rows to read in all. Without a yes it is what has been read already: that is worth
/// a report too, whether the user says no or the client has no way to ask.
async fn ask_how_far(analysis: &Analysis, ctx: &Context) -> Result<u64, ToolError> {
    let (rows, read, all) = (analysis.rows(), analysis.bytes_read(), analysis.bytes());
    let message = format!("{rows} rows are read, {read} of {all} bytes. Read on?");
    match ctx.elicit::<ReadOn>(message).await {
        Ok(Answer::Accepted(ReadOn {
            go_on: true,
            rows_at_most,
        })) => Ok(rows_at_most.unwrap_or(u64::MAX)),
        Ok(_) | Err(AskError::Unsupported(_)) => Ok(rows),
        Err(error) => Err(error.into()),
    }
}

/// A server that reads the files of `data`.
pub fn server(data: DataDir) -> Server {
    Server::new("datasets")
        .state(data)
        .tools(tools![analyze_dataset])
}
