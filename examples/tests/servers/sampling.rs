//! `sampling` keeps its word: the client's model where there is one, something of use or a refusal where there is none.

use examples::sampling::server;
use mcp_tasks::testing::{Client, Reply, every_client};
use serde_json::{Value, json};

const TEXT: &str = "Penguins swim. They do not fly.";

/// What a client's model answers.
fn completion(text: &str) -> Reply {
    Reply::Result(json!({
        "role": "assistant",
        "content": { "type": "text", "text": text },
        "model": "small",
        "stopReason": "endTurn",
    }))
}

#[tokio::test(start_paused = true)]
async fn the_clients_model_answers_where_there_is_one() {
    for kind in every_client() {
        let mut client = Client::connect(&server(), kind).await;
        let call = client.call("summarize", json!({ "text": TEXT }));
        let outcome = call.reply(completion("Swimming birds.")).await;
        assert_eq!(outcome.text(), "Swimming birds. (small)", "{kind}");
        let prompt = &outcome.questions[0].params["messages"][0]["content"]["text"];
        assert!(prompt.as_str().unwrap().ends_with(TEXT), "{kind}: {prompt}");

        let arguments = json!({ "text": TEXT, "language": "French" });
        let call = client.call("translate", arguments);
        let outcome = call.reply(completion("Les manchots nagent.")).await;
        assert_eq!(outcome.text(), "Les manchots nagent.", "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn without_a_model_one_tool_falls_back_and_one_refuses() {
    for kind in every_client() {
        let client = Client::builder(kind).capabilities(json!({}));
        let mut client = client.connect(&server()).await;
        let outcome = client.call("summarize", json!({ "text": TEXT })).await;
        assert_eq!(
            outcome.text(),
            "Penguins swim. (its first sentence)",
            "{kind}"
        );

        let arguments: Value = json!({ "text": TEXT, "language": "French" });
        let outcome = client.call("translate", arguments).await;
        assert!(outcome.is_error() && outcome.questions.is_empty(), "{kind}");
    }
}
