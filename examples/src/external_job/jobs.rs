//! A job service that lives in this process and does no work: time alone moves its jobs on.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// How long a job waits for its turn.
pub const QUEUE: Duration = Duration::from_secs(3);

/// How long a frame takes.
pub const FRAME: Duration = Duration::from_secs(1);

/// The number of a job.
pub type JobId = usize;

/// Where a job is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum JobState {
    Queued,
    Running { done: u32 },
    Done { url: String },
    Failed { why: String },
    Cancelled,
}

/// What the service would not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchJob(JobId);

impl fmt::Display for NoSuchJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the farm knows no job {}", self.0)
    }
}

impl std::error::Error for NoSuchJob {}

/// The service. Clones are the same service.
#[derive(Clone, Debug, Default)]
pub struct JobService(Arc<Mutex<Vec<Job>>>);

#[derive(Debug)]
struct Job {
    scene: String,
    frames: u32,
    submitted: Instant,
    cancelled: bool,
}

#[expect(
    clippy::unused_async,
    reason = "a real service is reached over a network"
)]
impl JobService {
    /// Hands a job in.
    pub async fn submit(&self, scene: &str, frames: u32) -> Result<JobId, NoSuchJob> {
        let job = Job {
            scene: scene.to_owned(),
            frames,
            submitted: Instant::now(),
            cancelled: false,
        };
        Ok(self.with(|jobs| {
            jobs.push(job);
            jobs.len() - 1
        }))
    }

    /// Where a job is now. A scene called `broken` fails as soon as it is its turn.
    pub async fn state(&self, job: JobId) -> Result<JobState, NoSuchJob> {
        self.with(|jobs| jobs.get(job).map(Job::state).ok_or(NoSuchJob(job)))
    }

    /// Cancels a job. One that is over stays what it is.
    pub async fn cancel(&self, job: JobId) -> Result<(), NoSuchJob> {
        self.with(|jobs| {
            let job = jobs.get_mut(job).ok_or(NoSuchJob(job))?;
            job.cancelled |= matches!(job.state(), JobState::Queued | JobState::Running { .. });
            Ok(())
        })
    }

    fn with<T>(&self, access: impl FnOnce(&mut Vec<Job>) -> T) -> T {
        access(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Job {
    fn state(&self) -> JobState {
        let running = self.submitted.elapsed().checked_sub(QUEUE);
        match running {
            _ if self.cancelled => JobState::Cancelled,
            None => JobState::Queued,
            Some(_) if self.scene == "broken" => JobState::Failed {
                why: "the scene has no camera".into(),
            },
            Some(running) if running >= FRAME * self.frames => JobState::Done {
                url: format!("https://farm.example.com/{}.mp4", self.scene),
            },
            Some(running) => JobState::Running {
                done: u32::try_from(running.as_secs() / FRAME.as_secs()).unwrap_or(self.frames),
            },
        }
    }
}
