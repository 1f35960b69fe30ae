//! Work that another system does: a job is submitted, polled, and cancelled there when the call is cancelled here.
//!
//! The tool itself does nothing but wait, so thousands of such calls cost little. Shows
//!
//! - a poll with the job's progress as the call's;
//! - a `CancellationToken`, because to cancel the job takes an `await`, for which `Drop` has no room;
//! - the job's failure as an error that the model reads.
//!
//! The job service is a fake in [`jobs`], with the face of a client of a real one.
//!
//! Run it: `cargo run -p examples --bin external_job`.

pub mod jobs;

use mcp_tasks::prelude::*;

use self::jobs::{JobService, JobState};

/// Between two looks at a job.
const POLL: Duration = Duration::from_secs(2);

/// Render a scene on the farm.
#[mcp_tool(task(poll_interval = "2s", keep = "1h"), cancel_grace = "10s")]
async fn render(
    /// The scene's name
    scene: String,
    /// How many frames
    #[arg(min = 1, max = 10_000)]
    frames: u32,
    State(farm): State<JobService>,
    cancelled: CancellationToken,
    ctx: Context,
) -> Result<String, ToolError> {
    let job = farm.submit(&scene, frames).await?;
    loop {
        match farm.state(job).await? {
            JobState::Queued => ctx.status(format!("job {job} is queued")),
            JobState::Running { done } => {
                ctx.progress(
                    done,
                    frames,
                    format!("job {job}: {done} of {frames} frames"),
                );
            }
            JobState::Done { url } => return Ok(format!("job {job} is done: {url}")),
            JobState::Failed { why } => return Err(format!("job {job} failed: {why}").into()),
            JobState::Cancelled => {
                return Err(format!("job {job} was cancelled on the farm").into());
            }
        }
        tokio::select! {
            () = tokio::time::sleep(POLL) => {}
            () = cancelled.cancelled() => {
                farm.cancel(job).await?;
                return Err(format!("job {job} is cancelled").into());
            }
        }
    }
}

/// A server that renders on `farm`.
pub fn server(farm: JobService) -> Server {
    Server::new("render").state(farm).tools(tools![render])
}
