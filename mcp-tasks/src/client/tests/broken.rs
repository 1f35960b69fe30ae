//! Servers that write what no server should.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use super::script::{Script, created, text, work};
use crate::client::{Client, ClientError, Wire};

/// Longer than anything here takes, in paused time.
const HOUR: Duration = Duration::from_secs(3600);

#[tokio::test(start_paused = true)]
async fn a_line_beyond_the_bound_ends_the_connection_and_says_so() {
    let (client, mut script) = Script::modern(Client::builder().message_bytes(1000)).await;
    let serve = async {
        let request = script.expect("tools/call").await;
        script.reply(&request, text(&"x".repeat(500))).await;
        script.expect("tools/call").await;
        script.write(&"x".repeat(2000)).await;
    };
    let ask = async {
        client
            .call_tool("work", Value::Null)
            .await
            .expect("within the bound");
        client.call_tool("work", Value::Null).await
    };
    let (result, ()) = timeout(HOUR, async { tokio::join!(ask, serve) })
        .await
        .expect("an end");
    let error = result.expect_err("no line").to_string();
    assert!(error.contains("1000 bytes"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn one_bad_member_of_a_batch_takes_no_other_along() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let serve = async {
        let request = script.expect("tools/call").await;
        let response = json!({ "jsonrpc": "2.0", "id": request["id"], "result": text("done") });
        script.write(&format!("[7, {response}, null]\n")).await;
    };
    let call = timeout(HOUR, client.call_tool("work", Value::Null));
    let (result, ()) = tokio::join!(call, serve);
    let result = result.expect("an answer").expect("a result");
    assert_eq!(result.text(), "done");
}

#[tokio::test(start_paused = true)]
async fn a_response_without_result_or_error_still_ends_its_request() {
    for response in [
        r#"{"jsonrpc":"2.0","id":ID}"#,
        r#"{"jsonrpc":"2.0","id":ID,"error":null}"#,
        r#"{"jsonrpc":"2.0","id":"ID","result":1e999}"#,
        r#"{"jsonrpc":"2.0","id":ID,"result":null}"#,
        r#"{"jsonrpc":"2.0","id":ID,"result":[]}"#,
    ] {
        let (client, mut script) = Script::modern(Client::builder()).await;
        let serve = async {
            let request = script.expect("tools/call").await;
            let id = request["id"].to_string();
            script
                .write(&format!("{}\n", response.replace("ID", &id)))
                .await;
        };
        let call = timeout(HOUR, client.call_tool("work", Value::Null));
        let (result, ()) = tokio::join!(call, serve);
        assert!(result.expect("an answer").is_err(), "{response}");
    }
}

#[tokio::test(start_paused = true)]
async fn noise_between_messages_disturbs_nobody() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let serve = async {
        script
            .write("starting up ...\n\r\n\n[]\n{}\n\"text\"\n{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}\n")
            .await;
        script
            .write("{\"jsonrpc\":\"2.0\",\"method\":7}\n{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{}}\n")
            .await;
        let request = script.expect("tools/call").await;
        script.reply(&request, text("done")).await;
        script.reply(&request, text("done twice")).await;
        let request = script.expect("tools/call").await;
        script.reply(&request, text("again")).await;
    };
    let ask = async {
        let first = client.call_tool("work", Value::Null).await;
        let second = client.call_tool("work", Value::Null).await;
        (
            first.expect("a result").text(),
            second.expect("a result").text(),
        )
    };
    let (texts, ()) = tokio::join!(ask, serve);
    assert_eq!(texts, ("done".to_owned(), "again".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_list_of_tools_without_end_is_given_up() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let serve = async {
        for page in 0.. {
            let list = script.next().await;
            if list["method"] != "tools/list" {
                break;
            }
            let cursor = format!("page {page}");
            script
                .reply(&list, json!({ "tools": [], "nextCursor": cursor }))
                .await;
        }
    };
    let ask = client.list_tools();
    let listed = tokio::select! {
        listed = ask => listed,
        () = serve => unreachable!("the client closes first"),
        () = tokio::time::sleep(HOUR) => panic!("it reads for ever"),
    };
    assert!(
        matches!(listed, Err(ClientError::Protocol { .. })),
        "{listed:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_thousand_calls_share_a_connection_and_one_list_of_tools() {
    let tasks = json!({ "tasks": { "requests": { "tools": { "call": {} } } } });
    let (client, mut script) = Script::legacy(Client::builder(), Wire::V2025_11_25, tasks).await;
    let mut calls = tokio::task::JoinSet::new();
    for n in 0..1000 {
        let client = client.clone();
        calls.spawn(async move { client.call_tool("work", json!({ "n": n })).await });
    }
    let list = script.expect("tools/list").await;
    script
        .reply(&list, json!({ "tools": [{ "name": "work" }] }))
        .await;
    let mut requests = Vec::new();
    for _ in 0..1000 {
        requests.push(script.expect("tools/call").await);
    }
    for request in requests.iter().rev() {
        script
            .reply(
                request,
                text(&request["params"]["arguments"]["n"].to_string()),
            )
            .await;
    }
    let mut texts: Vec<u32> = Vec::new();
    while let Some(result) = calls.join_next().await {
        let text = result.expect("no panic").expect("a result").text();
        texts.push(text.parse().expect("a number"));
    }
    texts.sort_unstable();
    assert!(texts.into_iter().eq(0..1000));
}

#[tokio::test(start_paused = true)]
async fn a_result_type_that_is_no_text_is_an_error() {
    for kind in [json!(7), json!(["task"]), json!({})] {
        let (client, mut script) = Script::modern(Client::builder()).await;
        let serve = async {
            let call = script.expect("tools/call").await;
            script
                .reply(&call, json!({ "resultType": kind, "content": [] }))
                .await;
        };
        let (result, ()) = tokio::join!(client.call_tool("work", Value::Null), serve);
        assert!(
            matches!(result, Err(ClientError::Protocol { .. })),
            "{kind}: {result:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_to_a_server_that_goes_ends_with_or_without_a_task() {
    for with_task in [false, true] {
        let (client, mut script) = Script::modern(Client::builder()).await;
        let call = work(&client).await;
        let request = script.expect("tools/call").await;
        if with_task {
            script.reply(&request, created()).await;
            script.refuse_to_listen().await;
        }
        drop(script);
        let result = timeout(HOUR, call.result()).await.expect("an end");
        assert!(
            matches!(result, Err(ClientError::Closed { .. })),
            "task: {with_task}: {result:?}"
        );
        assert!(call.cancel().await.is_ok());
    }
}
