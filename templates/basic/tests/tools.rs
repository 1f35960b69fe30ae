//! The tools as each kind of client sees them.

use mcp_tasks::testing::{self, Client, every_client};
use serde_json::json;

use {{crate_name}}_tools::{Release, Stage, server};

#[test]
fn models_see_the_schemas_in_tests_schemas() {
    testing::assert_schemas(&server(), "tests/schemas");
}

#[tokio::test(start_paused = true)]
async fn a_given_stage_is_released_to_without_a_question() {
    for kind in every_client() {
        let mut client = Client::connect(&server(), kind).await;
        let arguments = json!({ "service": "shop", "version": "1.4.0", "stage": "staging" });
        let outcome = client.call("release", arguments).await;
        let released = Release {
            service: "shop".into(),
            version: "1.4.0".into(),
            stage: Stage::Staging,
        };
        assert_eq!(outcome.parsed::<Release>(), released, "{kind}");
        assert!(outcome.questions.is_empty(), "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_user_chooses_the_stage() {
    for kind in every_client().filter(|kind| kind.asks()) {
        let mut client = Client::connect(&server(), kind).await;
        let arguments = json!({ "service": "shop", "version": "1.4.0" });
        let call = client.call("release", arguments);
        let outcome = call.accept(json!({ "value": "production" })).await;
        let released: Release = outcome.parsed();
        assert_eq!(released.stage, Stage::Production, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_is_released_without_a_stage() {
    for kind in every_client().filter(|kind| kind.asks()) {
        let mut client = Client::connect(&server(), kind).await;
        let arguments = json!({ "service": "shop", "version": "1.4.0" });
        let outcome = client.call("release", arguments).decline().await;
        assert!(outcome.is_error(), "{kind}");
        assert!(!outcome.reported("rolling out"), "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_release_can_be_cancelled() {
    for kind in every_client() {
        let mut client = Client::connect(&server(), kind).await;
        let arguments = json!({ "service": "shop", "version": "1.4.0", "stage": "staging" });
        let call = client.call("release", arguments);
        let outcome = call.cancel_at("rolling out").await;
        assert!(outcome.was_cancelled(), "{kind}");
    }
}
