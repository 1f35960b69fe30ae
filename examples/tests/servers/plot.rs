//! `plot` keeps its word: a table, a summary and a picture in one result.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use examples::plot::server;
use mcp_tasks::testing::{Client, ClientKind, every_client};
use serde_json::{Value, json};

/// The clients whose revision has structured content.
fn clients() -> impl Iterator<Item = ClientKind> {
    every_client().filter(|kind| kind.revision() >= "2025-06-18")
}

/// The result's picture: its width, its height and its pixels, a byte each.
fn picture(result: &Value) -> (u32, u32, Vec<u8>) {
    let image = &result["content"][1];
    assert_eq!(
        (&image["type"], &image["mimeType"]),
        (&json!("image"), &json!("image/png"))
    );
    let file = STANDARD.decode(image["data"].as_str().unwrap()).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(file))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    (info.width, info.height, pixels)
}

#[tokio::test(start_paused = true)]
async fn a_result_has_a_summary_and_a_picture() {
    for kind in every_client() {
        let mut client = Client::connect(&server(), kind).await;
        let arguments = json!({ "values": [1.0, 1.5, 2.0, 4.0], "bars": 3 });
        let outcome = client.call("histogram", arguments).await;
        let summary = "4 values from 1 to 4, mean 2.125; 2 of them in the fullest of 3 ranges";
        assert_eq!(outcome.text(), summary, "{kind}");
        let (width, height, pixels) = picture(outcome.result());
        assert_eq!((width, height), (30, 120), "{kind}");
        let ink = pixels.iter().filter(|pixel| **pixel < 0xff).count();
        assert_eq!(ink, 8 * (120 + 60 + 60), "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_table_is_for_clients_that_read_structured_content() {
    for kind in clients() {
        let mut client = Client::connect(&server(), kind).await;
        let arguments = json!({ "values": [1.0, 1.5, 2.0, 4.0], "bars": 3 });
        let outcome = client.call("histogram", arguments).await;
        let table = outcome.structured().expect("structured content");
        let counts: Vec<_> = table["bins"]
            .as_array()
            .unwrap()
            .iter()
            .map(|bin| &bin["count"])
            .collect();
        assert_eq!(counts, [2, 1, 1], "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_definition_has_the_schema_of_the_table() {
    for kind in clients() {
        let mut client = Client::connect(&server(), kind).await;
        let tools = client.request("tools/list", Value::Null).await.unwrap();
        let bins = &tools["tools"][0]["outputSchema"]["properties"]["bins"];
        assert_eq!(bins["type"], "array", "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn values_that_are_all_the_same_are_drawn() {
    let mut client = Client::connect(&server(), every_client().next().unwrap()).await;
    let outcome = client
        .call("histogram", json!({ "values": [7.0, 7.0] }))
        .await;
    assert_eq!(outcome.structured().unwrap()["bins"][0]["count"], 2);
    let outcome = client.call("histogram", json!({ "values": [] })).await;
    assert!(outcome.is_error());
}
