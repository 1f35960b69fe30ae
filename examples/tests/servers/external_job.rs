//! `external_job` keeps its word: a call is its job's whole life, and no job outlives its call.

use examples::external_job::jobs::{FRAME, JobService, JobState, QUEUE};
use examples::external_job::server;
use mcp_tasks::testing::{Client, every_client};
use serde_json::json;

#[tokio::test(start_paused = true)]
async fn a_call_ends_with_what_its_job_made() {
    for kind in every_client() {
        let mut client = Client::connect(&server(JobService::default()), kind).await;
        let call = client.call("render", json!({ "scene": "intro", "frames": 5 }));
        let outcome = call.await;
        let text = "job 0 is done: https://farm.example.com/intro.mp4";
        assert_eq!(outcome.text(), text, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_cancels_its_job() {
    for kind in every_client() {
        let farm = JobService::default();
        let mut client = Client::connect(&server(farm.clone()), kind).await;
        let call = client.call("render", json!({ "scene": "intro", "frames": 50 }));
        let outcome = call.cancel_after(QUEUE + 10 * FRAME).await;
        assert!(outcome.was_cancelled(), "{kind}");
        // A client may be told before the tool has wound down; its connection ends after that.
        client.finish().await.unwrap();
        assert_eq!(farm.state(0).await.unwrap(), JobState::Cancelled, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_failed_job_is_an_error_that_says_why() {
    for kind in every_client() {
        let mut client = Client::connect(&server(JobService::default()), kind).await;
        let call = client.call("render", json!({ "scene": "broken", "frames": 5 }));
        let outcome = call.await;
        assert!(outcome.is_error(), "{kind}");
        assert_eq!(
            outcome.text(),
            "job 0 failed: the scene has no camera",
            "{kind}"
        );
    }
}
