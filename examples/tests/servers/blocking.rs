//! `blocking` keeps its word: it counts right, says how far it is, and its thread stops when it is told to.

use examples::blocking::{count_primes, server};
use mcp_tasks::CancelReason;
use mcp_tasks::testing::{self, Client, every_client};
use serde_json::json;

use super::running::Running;

#[tokio::test]
async fn primes_are_counted_for_every_client() {
    for kind in every_client() {
        let mut client = Client::connect(&server(), kind).await;
        for (below, count) in [(0, "0"), (3, "1"), (100, "25"), (1_000_000, "78498")] {
            let outcome = client.call("count_primes", json!({ "below": below })).await;
            assert_eq!(outcome.text(), count, "{kind}: {below}");
        }
    }
}

#[test]
fn progress_rises_to_the_end() {
    let call = testing::context();
    assert_eq!(count_primes(1_000_000, call.context()).unwrap(), 78_498);
    let done: Vec<_> = call
        .progress()
        .iter()
        .map(|progress| progress.done)
        .collect();
    assert_eq!(done.len(), 4);
    assert!(done.is_sorted(), "{done:?}");
}

#[tokio::test]
async fn the_thread_of_a_cancelled_call_stops() {
    let call = testing::context();
    let ctx = call.context();
    let thread = tokio::task::spawn_blocking(move || count_primes(100_000_000_000, ctx));
    while call.progress().is_empty() {
        tokio::task::yield_now().await;
    }
    call.cancel(CancelReason::Requested);
    assert!(thread.await.unwrap().is_err());
}

#[tokio::test]
async fn a_call_is_cancelled_in_the_middle_by_every_client() {
    for kind in every_client() {
        let mut client = Client::connect(&server(), kind).await;
        let arguments = json!({ "below": 100_000_000_000_u64 });
        let call = Running::start(&mut client, "count_primes", arguments).await;
        call.told(&mut client, "primes below").await;
        call.cancel(client).await;
    }
}
