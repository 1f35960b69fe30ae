//! Futures of the client's are dropped at every point at which they wait. Each time nothing is left of them on either
//! side, what was begun is cancelled once and nothing else is, and the client goes on.
//!
//! `cut` says where a future is dropped, `tapped` sees what the client sends of it; `serving` drops the server's instead.

mod cut;
mod serving;
mod tapped;

use mcp_tasks::client::{Client, ClientError, PendingCall, Wire};
use serde_json::{Value, json};
use tokio::time::{Duration, sleep};

use self::cut::{Cut, finely};
use self::tapped::{Sent, Tapped, endpoint, server};
use crate::links::{Kind, Link};

const LINKS: [Link; 2] = [Link::InProcess, Link::Http];
/// What `nap` takes where it is waited for: a few moments.
const BRIEF: u64 = 3;
/// For longer than a server waits by itself for an answer.
const LONGER_THAN_PARKED: Duration = Duration::from_secs(900);
const FOR_EVER: u64 = 3_600_000;

async fn nap(client: &Client, millis: u64) -> PendingCall {
    let call = client.begin_call_tool("nap", json!({ "millis": millis }));
    call.await.expect("a call")
}

/// Runs `round` for every kind of client, every link and every cut. After each, nothing is left, and the client can
/// be used.
async fn everywhere(round: impl AsyncFn(&Tapped, Cut, &str)) {
    for link in LINKS {
        for kind in Kind::ALL {
            let tapped = Tapped::open(link, kind).await;
            for cut in Cut::all() {
                let here = format!("{kind}, {link:?}, {cut}");
                round(&tapped, cut, &here).await;
                tapped.rest(&here).await;
                let echo = tapped.client.call_tool("echo", json!({ "text": "hi" }));
                assert_eq!(echo.await.expect("an echo").text(), "hi", "{here}");
                tapped.sent.take();
            }
        }
    }
}

/// How the client took back what it had begun.
#[derive(Debug, Default, PartialEq, Eq)]
struct Taken {
    /// Calls of tools.
    calls: usize,
    /// `notifications/cancelled` about them.
    requests: usize,
    /// `tasks/cancel`.
    tasks: usize,
}

impl Taken {
    fn of(sent: &[Value]) -> Self {
        let calls: Vec<_> = named(sent, "tools/call").map(|call| &call["id"]).collect();
        let cancelled = named(sent, "notifications/cancelled")
            .filter(|message| calls.contains(&&message["params"]["requestId"]));
        Self {
            calls: calls.len(),
            requests: cancelled.count(),
            tasks: named(sent, "tasks/cancel").count(),
        }
    }

    /// Whether this is how one call is taken back whose request was sent and that has not ended.
    fn is_right(&self, tapped: &Tapped) -> bool {
        let Self {
            requests, tasks, ..
        } = *self;
        match (tapped.kind.wire, tapped.kind.tasks) {
            // The stream is closed, which says it; a task may have been made all the same.
            (Wire::V2026_07_28, true) if tapped.link == Link::Http => requests == 0 && tasks <= 1,
            (Wire::V2026_07_28, false) if tapped.link == Link::Http => requests + tasks == 0,
            // The creation of the task and the cancellation of its request may cross.
            (Wire::V2026_07_28, true) => matches!((requests, tasks), (1, 0 | 1) | (0, 1)),
            // "notifications/cancelled MUST NOT be used" of a task (2025-11-25 tasks).
            (Wire::V2025_11_25, true) => (requests, tasks) == (0, 1),
            _ => (requests, tasks) == (1, 0),
        }
    }
}

fn named<'s>(sent: &'s [Value], method: &'s str) -> impl Iterator<Item = &'s Value> {
    sent.iter()
        .filter(move |message| message["method"] == method)
}

/// At most one call was sent, and it was taken back as it should be.
async fn taken_back_once(tapped: &Tapped, here: &str) {
    tapped.rest(here).await;
    let taken = Taken::of(&tapped.sent.take());
    assert!(
        taken == Taken::default() || taken.calls == 1 && taken.is_right(tapped),
        "{here}: {taken:?}"
    );
}

#[test]
fn a_call_that_is_dropped_is_cancelled_once() {
    finely(everywhere(async |tapped, cut, here| {
        let call = tapped
            .client
            .call_tool("nap", json!({ "millis": FOR_EVER }));
        assert!(cut.of(call).await.is_none(), "{here}");
        taken_back_once(tapped, here).await;
    }));
}

#[test]
fn a_call_that_ends_is_cancelled_if_it_is_dropped_before() {
    finely(everywhere(async |tapped, cut, here| {
        let call = tapped.client.call_tool("nap", json!({ "millis": BRIEF }));
        let result = cut.of(call).await;
        tapped.rest(here).await;
        let taken = Taken::of(&tapped.sent.take());
        match result {
            Some(result) => {
                assert_eq!(result.expect("a result").text(), "rested", "{here}");
                assert_eq!((taken.requests, taken.tasks), (0, 0), "{here}");
            }
            None if taken.calls == 0 => assert_eq!(taken, Taken::default(), "{here}"),
            // It may have ended at that moment.
            None => assert!(taken.requests <= 1 && taken.tasks <= 1, "{here}: {taken:?}"),
        }
    }));
}

#[test]
fn a_call_that_is_begun_and_dropped_is_cancelled_once() {
    finely(everywhere(async |tapped, cut, here| {
        let begun = tapped
            .client
            .begin_call_tool("nap", json!({ "millis": FOR_EVER }));
        drop(cut.of(begun.into_future()).await);
        taken_back_once(tapped, here).await;
    }));
}

#[test]
fn a_call_that_waits_for_an_answer_is_cancelled_with_its_question() {
    finely(everywhere(async |tapped, cut, here| {
        let call = cut.of(tapped.client.call_tool("ask", json!({}))).await;
        if let Some(result) = call {
            assert_eq!(result.expect("a result").text(), "Hello, Ada!", "{here}");
        }
        // Where the question was the response, there is nothing to cancel: the server waits for the answer for a while.
        if tapped.kind.wire == Wire::V2026_07_28 && !tapped.kind.tasks {
            sleep(LONGER_THAN_PARKED).await;
        }
    }));
}

#[test]
fn a_wait_for_a_call_that_is_given_up_takes_nothing_from_it() {
    finely(everywhere(async |tapped, cut, here| {
        let call = nap(&tapped.client, BRIEF).await;
        cut.of(call.result()).await;
        cut.of(call.task_id()).await;
        cut.of(call.reference()).await;
        cut.of(call.status_changes().next()).await;
        let result = call.result().await;
        assert_eq!(result.expect("a result").text(), "rested", "{here}");
        let taken = Taken::of(&tapped.sent.take());
        assert_eq!((taken.requests, taken.tasks), (0, 0), "{here}");
    }));
}

#[test]
fn a_cancellation_that_is_given_up_goes_on() {
    finely(everywhere(async |tapped, cut, here| {
        let call = nap(&tapped.client, FOR_EVER).await;
        if tapped.kind.tasks {
            call.task_id().await.expect("a task");
        }
        cut.of(call.cancel()).await;
        let result = call.result().await;
        assert!(
            matches!(result, Err(ClientError::Cancelled { .. })),
            "{here}: {result:?}"
        );
        let taken = Taken::of(&tapped.sent.take());
        assert!(
            taken.calls == 0 || taken.is_right(tapped),
            "{here}: {taken:?}"
        );
    }));
}

#[test]
fn a_look_at_a_task_that_is_given_up_leaves_the_task_alone() {
    finely(everywhere(async |tapped, cut, here| {
        if !tapped.kind.tasks {
            return;
        }
        let client = &tapped.client;
        let call = nap(client, BRIEF).await;
        let id = call.task_id().await.expect("a task");
        cut.of(client.get_task(&id)).await;
        cut.of(client.task_result(&id)).await;
        cut.of(client.list_tasks(None)).await;
        let result = call.result().await;
        assert_eq!(result.expect("a result").text(), "rested", "{here}");
        let taken = Taken::of(&tapped.sent.take());
        assert_eq!((taken.requests, taken.tasks), (0, 0), "{here}");
        if tapped.kind.wire == Wire::Draft {
            cut.of(client.delete_task(&id)).await;
        }
    }));
}

#[test]
fn a_resumed_call_that_is_dropped_is_cancelled_once() {
    finely(everywhere(async |tapped, cut, here| {
        // In the draft, only whoever made the request can.
        if !tapped.kind.tasks || tapped.kind.wire == Wire::Draft {
            return;
        }
        let call = nap(&tapped.client, FOR_EVER).await;
        call.task_id().await.expect("a task");
        let reference = call.detach().expect("a task");
        tapped.sent.take();
        let resumed = async {
            let call = tapped.client.resume(reference).await.expect("a call");
            call.result().await
        };
        assert!(cut.of(resumed).await.is_none(), "{here}");
        tapped.rest(here).await;
        let taken = Taken::of(&tapped.sent.take());
        assert_eq!(taken.tasks, 1, "{here}");
    }));
}

#[test]
fn other_requests_that_are_dropped_leave_nothing() {
    finely(everywhere(async |tapped, cut, _| {
        let client = &tapped.client;
        cut.of(client.list_tools()).await;
        cut.of(client.request("acme/unknown", json!({}))).await;
    }));
}

#[test]
fn a_task_whose_cancellation_is_given_up_may_be_cancelled_again() {
    finely(everywhere(async |tapped, cut, here| {
        if !tapped.kind.tasks || tapped.kind.wire == Wire::Draft {
            return;
        }
        let call = nap(&tapped.client, FOR_EVER).await;
        let id = call.task_id().await.expect("a task");
        cut.of(tapped.client.cancel_task(&id)).await;
        sleep(Duration::from_millis(1)).await;
        // It has ended where the first was sent.
        let _ = tapped.client.cancel_task(&id).await;
        let result = call.result().await;
        assert!(
            matches!(result, Err(ClientError::Cancelled { .. })),
            "{here}: {result:?}"
        );
    }));
}

#[test]
fn a_connection_that_is_given_up_is_closed() {
    finely(async {
        for link in LINKS {
            for kind in Kind::ALL {
                for cut in Cut::all() {
                    let server = server();
                    let sent = Sent::default();
                    let client = kind.client(true).connect(endpoint(link, &server, &sent));
                    drop(cut.of(client).await);
                    sleep(Duration::from_secs(20)).await;
                    let left = mcp_tasks::testing::tables(&server);
                    assert_eq!(left.requests, 0, "{kind}, {link:?}, {cut}");
                    if link == Link::InProcess {
                        assert_eq!((left.connections, left.counted), (0, 0), "{kind}, {cut}");
                    }
                }
            }
        }
    });
}

#[test]
fn a_client_whose_close_is_given_up_is_closed() {
    finely(async {
        for link in LINKS {
            for kind in Kind::ALL {
                for cut in Cut::all() {
                    let server = server();
                    let sent = Sent::default();
                    let client = kind.client(true).connect(endpoint(link, &server, &sent));
                    let client = client.await.expect("a connection");
                    let call = nap(&client, FOR_EVER).await;
                    if kind.tasks {
                        call.task_id().await.expect("a task");
                    }
                    cut.of(client.close()).await;
                    drop(call);
                    sleep(Duration::from_secs(20)).await;
                    let left = mcp_tasks::testing::tables(&server);
                    let here = format!("{kind}, {link:?}, {cut}: {left:?}");
                    assert_eq!(
                        (left.live_tasks, left.runs, left.requests),
                        (0, 0, 0),
                        "{here}"
                    );
                    assert_eq!((left.connections, left.counted), (0, 0), "{here}");
                }
            }
        }
    });
}
