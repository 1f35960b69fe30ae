use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use crate::model::principal::Owner;
use crate::task::contract::record;
use crate::task::memory::MemoryStore;

use super::*;

async fn is_woken(watch: &mut Watch) -> bool {
    let mut changed = pin!(watch.changed());
    poll_fn(|cx| Poll::Ready(changed.as_mut().poll(cx).is_ready())).await
}

fn id(name: &str) -> TaskId {
    TaskId::new(name)
}

#[tokio::test]
async fn a_wake_before_the_wait_is_kept() {
    let watches = Watches::new(Arc::new(()));
    let mut watch = watches.register(&id("a"));
    assert!(!is_woken(&mut watch).await);
    watches.wake(&[id("a")]);
    assert!(is_woken(&mut watch).await);
    assert!(!is_woken(&mut watch).await, "and taken once");
}

#[tokio::test]
async fn a_wait_that_is_dropped_takes_no_wake_with_it() {
    let watches = Watches::new(Arc::new(()));
    let mut watch = watches.register(&id("a"));
    {
        let mut changed = pin!(watch.changed());
        assert!(poll_fn(|cx| Poll::Ready(changed.as_mut().poll(cx).is_pending())).await);
        watches.wake(&[id("a")]);
    }
    assert!(is_woken(&mut watch).await);
}

#[tokio::test]
async fn a_wake_reaches_every_watch_of_its_task_and_no_other() {
    let watches = Watches::new(Arc::new(()));
    let mut first = watches.register(&id("a"));
    let mut second = watches.register(&id("a"));
    let mut other = watches.register(&id("b"));
    watches.wake(&[id("unwatched"), id("a")]);
    assert!(is_woken(&mut first).await && is_woken(&mut second).await);
    assert!(!is_woken(&mut other).await);
    watches.wake_all();
    assert!(is_woken(&mut first).await && is_woken(&mut other).await);
}

#[tokio::test]
async fn a_dropped_watch_leaves_no_line() {
    let watches = Watches::new(Arc::new(()));
    let first = watches.register(&id("a"));
    let mut second = watches.register(&id("a"));
    assert_eq!(watches.count(), 2);
    drop(first);
    assert_eq!(watches.count(), 1);
    watches.wake(&[id("a")]);
    assert!(is_woken(&mut second).await, "the other one stays");
    drop(second);
    assert!(lock(&watches.table).is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_feed_that_was_overrun_wakes_everybody() {
    let store: Arc<dyn TaskStore> = Arc::new(MemoryStore::new());
    let watches = Watches::new(Arc::new(()));
    tokio::spawn(Arc::clone(&watches).follow(Arc::clone(&store)));
    tokio::task::yield_now().await;
    let mut watch = watches.register(&id("first"));
    // All before the follower has its turn: the change that matters is long out of the feed.
    for n in 0..20_000 {
        let name = if n == 0 {
            "first".into()
        } else {
            n.to_string()
        };
        store
            .insert(Arc::new(record(&name, Owner::Process, 10)))
            .await
            .unwrap();
    }
    let woken = tokio::time::timeout(Duration::from_secs(10), watch.changed()).await;
    woken.expect("anything may have changed");
}
