//! The engine over stores that fail, that hang, and that it shares.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use tokio::time::timeout;

use crate::task::faulty::FaultyStore;

use super::*;

fn over(store: &Arc<FaultyStore>) -> Arc<Engine> {
    Engine::new(
        Arc::clone(store) as Arc<dyn TaskStore>,
        Clock::new(),
        limits(),
        Arc::new(()),
    )
}

#[tokio::test]
async fn a_task_that_the_store_refuses_takes_no_place() {
    let store = Arc::new(FaultyStore::default());
    let engine = over(&store);
    store.fail_next();
    let refused = engine.create(new(principal("alice"), Dialect::Core)).await;
    assert!(matches!(refused, Err(CreateError::Store(_))));
    assert_eq!(engine.counts(), EngineCounts::default());
}

#[tokio::test]
async fn a_creation_that_is_dropped_takes_no_place() {
    let store = Arc::new(FaultyStore::default());
    let engine = over(&store);
    store.hang();
    {
        let mut create = pin!(engine.create(new(principal("alice"), Dialect::Core)));
        assert!(poll_fn(|cx| Poll::Ready(create.as_mut().poll(cx).is_pending())).await);
        assert_eq!(
            engine.counts().live,
            1,
            "its place is taken while it is made"
        );
    }
    assert_eq!(engine.counts(), EngineCounts::default());
}

#[tokio::test]
async fn a_store_that_fails_says_so_and_changes_nothing() {
    let store = Arc::new(FaultyStore::default());
    let engine = over(&store);
    let id = started(&engine, Dialect::Core).await;
    store.fail_next();
    let failed = engine.submit(&id, Event::End(result())).await;
    assert!(matches!(failed, Err(SubmitError::Store(_))));
    store.fail_next();
    let failed = engine.get(&Owner::Process, &id).await;
    assert!(matches!(failed, Err(LookupError::Store(_))));
    assert_eq!(
        (status(&engine, &id).await, engine.counts().live),
        (TaskStatus::Working, 1)
    );
}

#[tokio::test(start_paused = true)]
async fn watchers_are_woken_again_once_the_feed_is_back() {
    let store = Arc::new(FaultyStore::default());
    let engine = over(&store);
    let id = started(&engine, Dialect::Core).await;
    let mut watch = engine.watch(&id);
    store.fail_next();
    // The feed is the first to call the store.
    engine.start();
    timeout(HOUR, watch.changed())
        .await
        .expect("woken by the next reading");
}

#[tokio::test(start_paused = true)]
async fn an_end_that_another_process_made_is_seen_and_counted_here() {
    let store = Arc::new(FaultyStore::default());
    let (here, there) = (over(&store), over(&store));
    here.start();
    let id = started(&here, Dialect::Core).await;
    assert_ne!(here.runner, there.runner);
    let mut watch = here.watch(&id);
    there
        .submit(&id, Event::Cancel(CancelReason::Requested))
        .await
        .unwrap();
    timeout(HOUR, watch.changed())
        .await
        .expect("the feed is the store's");
    assert_eq!(status(&here, &id).await, TaskStatus::Cancelled);
    let late = here.submit(&id, Event::End(result())).await;
    assert!(matches!(
        late,
        Err(SubmitError::Rejected(Rejected::Terminal(_), _))
    ));
    let counts = here.counts();
    assert_eq!((counts.live, counts.kept), (0, 1));
    assert_eq!(
        there.counts(),
        EngineCounts::default(),
        "it is not that process's task"
    );
}

#[tokio::test]
async fn a_call_that_hung_goes_on_once_the_store_is_back() {
    let store = Arc::new(FaultyStore::default());
    let engine = over(&store);
    store.hang();
    let mut create = pin!(engine.create(new(principal("alice"), Dialect::Core)));
    assert!(poll_fn(|cx| Poll::Ready(create.as_mut().poll(cx).is_pending())).await);
    store.recover();
    assert!(create.await.is_ok());
    assert_eq!(store.failed(), 0);
}
