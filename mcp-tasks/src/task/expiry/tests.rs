use crate::model::principal::Owner;
use crate::model::task::TaskId;
use crate::task::contract::record;
use crate::task::faulty::{FaultyStore, StoreCall};
use crate::task::record::Record;

use super::*;

struct Bench {
    store: Arc<FaultyStore>,
    alarm: Arc<Alarm>,
    clock: Clock,
}

impl Bench {
    /// A sleeper at work on a store of its own.
    fn new(store: FaultyStore) -> Self {
        let store = Arc::new(store);
        let (alarm, clock) = (Arc::new(Alarm::new()), Clock::new());
        let sweeper = Sweeper {
            store: Arc::clone(&store) as Arc<dyn TaskStore>,
            ledger: Arc::default(),
            clock,
        };
        tokio::spawn(sweeper.run(Arc::clone(&alarm)));
        Self {
            store,
            alarm,
            clock,
        }
    }

    async fn insert(&self, id: &str, ttl: u64) {
        let record = Record {
            created: self.clock.now(),
            ..record(id, Owner::Process, ttl)
        };
        let deadline = record.expires();
        self.store.insert(Arc::new(record)).await.unwrap();
        self.alarm.announce(deadline);
    }

    async fn has(&self, id: &str) -> bool {
        self.store.get(&TaskId::new(id)).await.unwrap().is_some()
    }

    fn takes(&self) -> usize {
        let calls = self.store.calls();
        let takes = calls.iter().filter(|call| **call == StoreCall::TakeExpired);
        takes.count()
    }
}

#[tokio::test(start_paused = true)]
async fn an_earlier_deadline_wakes_the_sleeper() {
    let bench = Bench::new(FaultyStore::default());
    bench.insert("late", 60_000).await;
    sleep(Duration::from_millis(1)).await;
    bench.insert("early", 1_000).await;
    sleep(Duration::from_millis(999)).await;
    assert!(bench.has("early").await);
    sleep(Duration::from_millis(2)).await;
    assert!(!bench.has("early").await && bench.has("late").await);
    sleep(Duration::from_secs(60)).await;
    assert!(!bench.has("late").await);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_made_after_the_last_one_passed_is_kept() {
    let bench = Bench::new(FaultyStore::default());
    for id in ["first", "second"] {
        bench.insert(id, 10).await;
        sleep(Duration::from_millis(100)).await;
        assert!(!bench.has(id).await, "{id}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_sleeper_sleeps_while_no_deadline_passes() {
    let bench = Bench::new(FaultyStore::default());
    bench.insert("first", 3_600_000).await;
    sleep(Duration::from_secs(1)).await;
    let takes = bench.takes();
    for n in 0..100 {
        bench.insert(&n.to_string(), 7_200_000).await;
    }
    sleep(Duration::from_secs(3_000)).await;
    assert_eq!(
        bench.takes(),
        takes,
        "later deadlines are none of its business yet"
    );
}

#[tokio::test(start_paused = true)]
async fn a_deadline_at_the_end_of_time_is_slept_for() {
    let bench = Bench::new(FaultyStore::default());
    bench.insert("ever", u64::MAX).await;
    sleep(Duration::from_secs(3_600 * 24 * 365)).await;
    assert!(bench.has("ever").await);
    assert!(bench.takes() <= 2, "{} takes", bench.takes());
    bench.insert("now", 1).await;
    sleep(Duration::from_millis(2)).await;
    assert!(!bench.has("now").await);
}

#[tokio::test(start_paused = true)]
async fn more_than_a_batch_goes_at_once() {
    let bench = Bench::new(FaultyStore::default());
    for n in 0..3 * BATCH {
        bench.insert(&n.to_string(), 10).await;
    }
    sleep(Duration::from_millis(11)).await;
    assert_eq!(bench.store.next_deadline().await.unwrap(), None);
}

#[tokio::test(start_paused = true)]
async fn a_store_that_fails_is_asked_again_later() {
    let store = FaultyStore::default();
    store.fail_next();
    let bench = Bench::new(store);
    tokio::task::yield_now().await;
    bench.insert("a", 10).await;
    sleep(Duration::from_millis(500)).await;
    assert_eq!(
        (bench.has("a").await, bench.takes()),
        (true, 1),
        "it is left alone for a while"
    );
    sleep(RETRY).await;
    assert!(!bench.has("a").await);
}

#[tokio::test(start_paused = true)]
async fn no_deadline_passes_by_however_it_meets_the_sleeper() {
    let bench = Bench::new(FaultyStore::default());
    for round in 0..200 {
        bench.insert(&format!("{round} a"), 1 + round % 3).await;
        tokio::task::yield_now().await;
        bench.insert(&format!("{round} b"), 1 + round % 5).await;
        sleep(Duration::from_millis(1)).await;
        let next = bench.store.next_deadline().await.unwrap();
        let overdue = next.map(|at| bench.clock.now().since(at));
        assert!(
            overdue.is_none_or(|late| late <= Duration::from_millis(1)),
            "{overdue:?}"
        );
    }
    sleep(Duration::from_millis(6)).await;
    assert_eq!(bench.store.next_deadline().await.unwrap(), None);
}
