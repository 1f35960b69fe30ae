//! Pages to visit, of this crate's own server, by every link.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcp_tasks::client::{Answer, Client, ClientBuilder, ClientError, UrlQuestion, Wire};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::links::{Link, Site};

const LINKS: [Link; 3] = [Link::InProcess, Link::Stdio, Link::Http];
/// A limit that is not reached.
const LONG: Duration = Duration::from_secs(60);

type Shown = Arc<Mutex<Vec<UrlQuestion>>>;

/// A client whose user visits every page.
fn visitor() -> (ClientBuilder, Shown) {
    let shown = Shown::default();
    let showing = Arc::clone(&shown);
    let client = Client::builder().on_url(move |question| {
        showing.lock().expect("no panic").push(question);
        std::future::ready(Answer::Accepted(()))
    });
    (client, shown)
}

#[tokio::test]
async fn whoever_shows_a_page_hears_that_it_is_done_where_the_revision_says_so() {
    for link in LINKS {
        for (wire, tasks) in [
            (Wire::V2026_07_28, true),
            (Wire::V2026_07_28, false),
            (Wire::V2025_11_25, true),
            (Wire::V2025_11_25, false),
        ] {
            let (client, shown) = visitor();
            let client = client.wire(wire).tasks(tasks);
            let client = Site::open(link).connect(client).await.expect("a client");
            let result = client.call_tool("sign_in", json!({})).await;
            assert_eq!(result.expect("a result").text(), "signed in");
            let question = shown.lock().expect("no panic").pop().expect("a page");
            let old = wire == Wire::V2025_11_25;
            assert_eq!(question.elicitation_id.is_some(), old, "{link:?} {wire}");
            let told = timeout(LONG, question.completed()).await;
            assert_eq!(told, Ok(old), "{link:?} {wire}, tasks: {tasks}");
            client.close().await;
        }
    }
}

#[tokio::test]
async fn a_request_that_requires_a_page_is_made_again() {
    for link in LINKS {
        let (client, shown) = visitor();
        let client = client
            .wire(Wire::V2025_11_25)
            .completion_timeout(Duration::ZERO);
        let client = Site::open(link).connect(client).await.expect("a client");
        let deployed = client.request("acme/deploy", Value::Null).await;
        assert_eq!(deployed.expect("a result")["deployed"], true, "{link:?}");
        let shown = shown.lock().expect("no panic").pop().expect("a page");
        assert_eq!(shown.elicitation_id.as_deref(), Some("e-1"), "{link:?}");
        client.close().await;
    }
}

#[tokio::test]
async fn a_client_that_shows_no_pages_is_told_what_is_required() {
    for link in LINKS {
        let client = Client::builder().wire(Wire::V2025_11_25);
        let client = Site::open(link).connect(client).await.expect("a client");
        let refused = client.request("acme/deploy", Value::Null).await;
        let Err(ClientError::Refused { error, .. }) = refused else {
            panic!("{link:?}: {refused:?}")
        };
        assert_eq!((error.code, &*error.message), (-32042, "sign in first"));
        assert!(error.data.is_some(), "{link:?}");
        client.close().await;
    }
}
