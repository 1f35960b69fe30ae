//! The front page's test of the front page's example, which is put here as a user has it above the test.

include!("../src/bin/deploy.rs");

#[tokio::test(start_paused = true)]
async fn nothing_is_deployed_without_a_yes() {
    use mcp_tasks::testing::{Client, every_client};
    let server = Server::new("ops").tools(tools![deploy]);
    for kind in every_client().filter(|kind| kind.asks()) {
        let mut client = Client::connect(&server, kind).await;
        let call = client.call("deploy", serde_json::json!({ "env": "prod" }));
        assert_eq!(call.decline().await.text(), "not deployed", "{kind}");
    }
}
