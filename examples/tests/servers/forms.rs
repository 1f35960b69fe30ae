//! `forms` keeps its word: every kind of field is read back, and an answer that does not fit is asked for again.

use examples::forms::server;
use mcp_tasks::testing::{Client, ClientKind, every_client};
use serde_json::{Value, json};

/// The clients that can show a list of choices.
fn clients() -> impl Iterator<Item = ClientKind> {
    every_client().filter(|kind| kind.revision() >= "2025-11-25")
}

fn filled_in() -> Value {
    json!({
        "size": "Large",
        "toppings": ["Olives", "Chilli"],
        "count": 2,
        "email": "ann@example.com",
        "note": "well done",
        "to_go": true,
    })
}

#[tokio::test(start_paused = true)]
async fn every_field_is_read_back() {
    let text = "2 x Large with [Olives, Chilli], to go; note: well done; to ann@example.com";
    for kind in clients() {
        let mut client = Client::connect(&server(), kind).await;
        let outcome = client.call("order", json!({})).accept(filled_in()).await;
        assert_eq!(outcome.text(), text, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_left_out_has_its_default() {
    let text = "1 x Medium with [Cheese], for here; note: none; to ann@example.com";
    for kind in clients() {
        let mut client = Client::connect(&server(), kind).await;
        let call = client.call("order", json!({}));
        let outcome = call.accept(json!({ "email": "ann@example.com" })).await;
        assert_eq!(outcome.text(), text, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_out_of_bounds_is_asked_for_again() {
    for (field, value) in [
        ("size", json!("Huge")),
        (
            "toppings",
            json!(["Cheese", "Olives", "Mushrooms", "Chilli"]),
        ),
        ("count", json!(11)),
        ("email", json!("nowhere")),
        ("note", json!("x".repeat(201))),
    ] {
        for kind in clients() {
            let mut client = Client::connect(&server(), kind).await;
            let mut wrong = filled_in();
            wrong[field] = value.clone();
            let call = client.call("order", json!({}));
            let outcome = call.accept(wrong).accept(filled_in()).await;
            assert!(outcome.text().starts_with("2 x Large"), "{kind}: {field}");
            let again = outcome.questions.len() == 2;
            assert!(again, "{kind}: {field}: {:?}", outcome.questions);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_choice_is_shown_with_its_titles() {
    let mut client = Client::connect(&server(), ClientKind::TasksExtension).await;
    let outcome = client.call("order", json!({})).decline().await;
    let size = &outcome.questions[0].schema()["properties"]["size"];
    assert_eq!(
        size["oneOf"][0],
        json!({ "const": "Small", "title": "Small, 24 cm" })
    );
    assert_eq!(size["default"], "Medium");
    assert_eq!(outcome.text(), "nothing ordered");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_knows_no_lists_is_told_so() {
    let mut client = Client::connect(&server(), ClientKind::V2025_06_18).await;
    let outcome = client.call("order", json!({})).await;
    assert!(outcome.is_error() && outcome.questions.is_empty());
    assert!(outcome.text().contains("several choices"), "{outcome:?}");
}
