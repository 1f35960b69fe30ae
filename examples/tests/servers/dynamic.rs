//! `dynamic` keeps its word: tools come and go while clients are connected, who are told.

use examples::dynamic::server;
use mcp_tasks::testing::{Client, every_client};
use serde_json::{Value, json};

async fn names(client: &mut Client) -> Vec<String> {
    let listed = client.request("tools/list", Value::Null).await.unwrap();
    let tools = listed["tools"].as_array().unwrap().iter();
    tools
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test(start_paused = true)]
async fn a_sensor_is_a_tool_for_as_long_as_it_is_watched() {
    for kind in every_client() {
        let mut client = Client::connect(&server(), kind).await;
        assert_eq!(names(&mut client).await, ["watch", "unwatch"], "{kind}");

        let watch = json!({ "sensor": "roof", "unit": "°C" });
        let outcome = client.call("watch", watch).await;
        assert_eq!(outcome.text(), "there is now a tool `read_roof`", "{kind}");
        assert_eq!(
            names(&mut client).await,
            ["watch", "unwatch", "read_roof"],
            "{kind}"
        );
        let outcome = client.call("read_roof", json!({ "samples": 20 })).await;
        assert_eq!(outcome.text(), "4.0 °C", "{kind}");
        assert_eq!(outcome.was_task(), kind.follows_tasks(), "{kind}");

        let outcome = client.call("unwatch", json!({ "sensor": "roof" })).await;
        assert_eq!(outcome.text(), "roof is no longer watched", "{kind}");
        let outcome = client.call("read_roof", json!({})).await;
        assert_eq!(outcome.error().code, -32602, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn clients_are_told_of_a_new_tool() {
    let changed = |message: &Value| message["method"] == "notifications/tools/list_changed";
    for kind in every_client() {
        let server = server();
        let mut client = Client::connect(&server, kind).await;
        if kind.is_modern() {
            let listen = json!({ "notifications": { "toolsListChanged": true } });
            client.start("subscriptions/listen", listen).await;
            let acknowledged = "notifications/subscriptions/acknowledged";
            client
                .until(|message| message["method"] == acknowledged)
                .await;
        }
        // Another client of the same server watches; this one only hears of it.
        let mut other = Client::connect(&server, kind).await;
        let watch = json!({ "sensor": "roof", "unit": "°C" });
        other.call("watch", watch).await;
        client.until(changed).await;
    }
}

#[tokio::test(start_paused = true)]
async fn arguments_that_do_not_fit_are_the_models_to_mend() {
    for kind in every_client() {
        let mut client = Client::connect(&server(), kind).await;
        let watch = json!({ "sensor": "roof", "unit": "°C" });
        client.call("watch", watch).await;
        for samples in [json!("many"), json!(0)] {
            let call = client.call("read_roof", json!({ "samples": samples }));
            assert!(call.await.is_error(), "{kind}: {samples}");
        }
        let outcome = client
            .call("watch", json!({ "sensor": "no name", "unit": "" }))
            .await;
        assert!(outcome.is_error(), "{kind}: {outcome:?}");
    }
}
