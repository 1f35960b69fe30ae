//! What a server hears of a caller that is gone.

use serde_json::{Value, json};

use super::script::{Script, created, task, text, work};
use crate::client::{Client, ClientError, Reference, Wire};

#[tokio::test(start_paused = true)]
async fn a_dropped_call_is_cancelled_by_its_request() {
    for modern in [true, false] {
        let (client, mut script) = if modern {
            Script::modern(Client::builder()).await
        } else {
            Script::legacy(Client::builder(), Wire::V2025_06_18, json!({})).await
        };
        let call = work(&client).await;
        let request = script.expect("tools/call").await;
        drop(call);
        let cancelled = script.expect("notifications/cancelled").await;
        assert_eq!(
            cancelled["params"]["requestId"], request["id"],
            "modern: {modern}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_dropped_task_is_cancelled_by_its_id() {
    let (_client, call, mut script) = Script::with_task(Client::builder()).await;
    call.task_id().await.expect("a task");
    drop(call);
    let cancel = script.expect("tasks/cancel").await;
    assert_eq!(cancel["params"]["taskId"], "t-1");
}

#[tokio::test(start_paused = true)]
async fn a_task_whose_creation_and_cancellation_crossed_is_cancelled_too() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let call = work(&client).await;
    let request = script.expect("tools/call").await;
    drop(call);
    script.expect("notifications/cancelled").await;
    script.reply(&request, created()).await;
    let cancel = script.expect("tasks/cancel").await;
    assert_eq!(cancel["params"]["taskId"], "t-1");
}

#[tokio::test(start_paused = true)]
async fn a_detached_task_is_left_alone_and_found_again() {
    let (client, call, listen, mut script) = Script::with_subscription(Client::builder()).await;
    let reference = call.detach().expect("a task");
    assert_eq!(
        serde_json::to_value(&reference).expect("JSON"),
        json!({ "task_id": "t-1", "wire": "2026-07-28", "tool": "work" })
    );
    let cancelled = script.expect("notifications/cancelled").await;
    assert_eq!(cancelled["params"]["requestId"], listen["id"]);
    let call = client.resume(reference).await.expect("the same wire");
    let get = script.expect("tasks/get").await;
    script
        .reply(
            &get,
            task("completed", json!({ "result": text("still here") })),
        )
        .await;
    assert_eq!(call.result().await.expect("a result").text(), "still here");
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_is_given_up_takes_nothing_from_another() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let call = work(&client).await;
    let request = script.expect("tools/call").await;
    {
        let result = call.result();
        tokio::pin!(result);
        assert!(
            std::future::poll_fn(|cx| std::task::Poll::Ready(
                result.as_mut().poll(cx).is_pending()
            ))
            .await
        );
    }
    let other = client
        .begin_call_tool("other", Value::Null)
        .await
        .expect("a call");
    let other_request = script.expect("tools/call").await;
    drop(other);
    script.expect("notifications/cancelled").await;
    script.reply(&other_request, text("late")).await;
    script.reply(&request, text("done")).await;
    assert_eq!(call.result().await.expect("a result").text(), "done");
    assert_eq!(call.result().await.expect("the same result").text(), "done");
}

#[tokio::test(start_paused = true)]
async fn a_resumed_call_that_is_dropped_before_its_task_was_looked_at_is_cancelled() {
    for looks in [true, false] {
        let (client, mut script) = Script::modern(Client::builder()).await;
        let reference = Reference::new("t-1", Wire::V2026_07_28);
        let call = client.resume(reference).await.expect("a call");
        assert_eq!(call.task_id().await.expect("known").as_str(), "t-1");
        if looks {
            script.expect("tasks/get").await;
        }
        drop(call);
        loop {
            let told = script.next().await;
            if told["method"] == "tasks/cancel" {
                assert_eq!(told["params"]["taskId"], "t-1");
                break;
            }
            assert_eq!(told["method"], "notifications/cancelled", "{told}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_resumed_call_that_is_detached_before_its_task_was_looked_at_is_left_alone() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let reference = Reference::new("t-1", Wire::V2026_07_28);
    let call = client.resume(reference.clone()).await.expect("a call");
    assert_eq!(call.detach(), Some(reference));
    let serve = async {
        let ping = script.expect("ping").await;
        script.reply(&ping, json!({})).await;
    };
    let (pong, ()) = tokio::join!(client.request("ping", Value::Null), serve);
    pong.expect("a pong");
}

#[tokio::test(start_paused = true)]
async fn a_call_whose_client_is_closed_before_it_is_sent_is_not_sent() {
    let (client, mut script) = Script::modern(Client::builder()).await;
    let call = work(&client).await;
    client.close().await;
    let result = call.result().await;
    assert!(
        matches!(result, Err(ClientError::Closed { .. })),
        "{result:?}"
    );
    assert!(script.is_at_end().await);
}

#[tokio::test(start_paused = true)]
async fn a_grant_that_comes_when_the_client_is_closed_holds_up_no_cancellation() {
    let (client, _call, listen, mut script) = Script::with_subscription(Client::builder()).await;
    let began = tokio::time::Instant::now();
    let serve = async {
        let meta = json!({ "io.modelcontextprotocol/subscriptionId": listen["id"] });
        let granted = json!({ "_meta": meta, "notifications": { "taskIds": ["t-1"] } });
        script
            .notify("notifications/subscriptions/acknowledged", granted)
            .await;
        let cancel = script.expect("tasks/cancel").await;
        assert_eq!(cancel["params"]["taskId"], "t-1");
    };
    tokio::join!(client.close(), serve);
    assert!(began.elapsed() < std::time::Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_is_dropped_reads_on_until_its_server_has_taken_everything_in() {
    let (client, call, mut script) = Script::with_task(Client::builder()).await;
    call.task_id().await.expect("a task");
    drop((call, client));
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    script
        .notify("notifications/tools/list_changed", json!({}))
        .await;
    script.expect("tasks/cancel").await;
    assert!(script.is_at_end().await);
}
