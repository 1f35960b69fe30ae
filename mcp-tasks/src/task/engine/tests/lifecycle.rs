use std::collections::HashSet;

use tokio::time::timeout;

use super::*;

#[tokio::test]
async fn a_new_task_is_there_before_its_id_is_known() {
    let engine = engine();
    let wish = Some(48 * HOUR);
    let new = NewTask {
        wish,
        message: Some("queued".into()),
        ..new(principal("alice"), Dialect::Core)
    };
    let record = engine.create(new).await.unwrap();
    let found = engine.get(&principal("alice"), &record.id).await.unwrap();
    assert_eq!(
        (found.status, found.version, found.message.as_deref()),
        (TaskStatus::Created, 1, Some("queued"))
    );
    assert_eq!(
        (found.ttl, found.keep, found.poll_interval),
        (70_000, 10_000, 1_000)
    );
    assert_eq!(
        found.wish,
        Some(as_millis(24 * HOUR)),
        "no longer than the server keeps anything"
    );
}

#[tokio::test]
async fn ids_are_128_bits_and_no_two_are_alike() {
    let engine = engine();
    let mut seen = HashSet::new();
    for _ in 0..1_000 {
        let record = engine
            .create(new(Owner::Process, Dialect::Core))
            .await
            .unwrap();
        let text = record.id.as_str();
        assert!(text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit()));
        assert!(seen.insert(record.id.clone()));
    }
    // Each of the 32 places takes each of the 16 digits: none is fixed.
    for place in 0..32 {
        let digits: HashSet<u8> = seen
            .iter()
            .map(|id| id.as_str().as_bytes()[place])
            .collect();
        assert_eq!(digits.len(), 16, "place {place}");
    }
}

#[tokio::test]
async fn somebody_elses_task_is_an_unknown_one() {
    let engine = engine();
    let owners = [
        principal("alice"),
        principal("bob"),
        Owner::Bearer,
        Owner::Process,
    ];
    for owner in &owners {
        let record = engine
            .create(new(owner.clone(), Dialect::Core))
            .await
            .unwrap();
        for other in &owners {
            match engine.get(other, &record.id).await {
                Ok(found) => assert!(other == owner && found.id == record.id),
                Err(LookupError::Unknown) => assert_ne!(other, owner),
                Err(error) => panic!("{error:?}"),
            }
        }
    }
    let never = engine.get(&Owner::Process, &TaskId::new("never")).await;
    assert!(matches!(never, Err(LookupError::Unknown)));
}

#[tokio::test]
async fn a_forbidden_event_returns_the_record_as_it_stands() {
    let engine = engine();
    let id = started(&engine, Dialect::Core).await;
    engine.submit(&id, Event::End(result())).await.unwrap();
    match engine
        .submit(&id, Event::Cancel(CancelReason::Requested))
        .await
    {
        Err(SubmitError::Rejected(Rejected::Terminal(TaskStatus::Completed), record)) => {
            assert_eq!(record.status, TaskStatus::Completed);
        }
        other => panic!("the task has ended: {other:?}"),
    }
    let unknown = engine.submit(&TaskId::new("never"), Event::Start).await;
    assert!(matches!(unknown, Err(SubmitError::Gone)));
}

#[tokio::test]
async fn a_list_is_the_callers_own() {
    let engine = engine();
    let mut mine = Vec::new();
    for n in 0..6 {
        let owner = if n % 2 == 0 {
            principal("alice")
        } else {
            principal("bob")
        };
        let record = engine
            .create(new(owner.clone(), Dialect::Core))
            .await
            .unwrap();
        if owner == principal("alice") {
            mine.push(record.id.clone());
        }
    }
    let ids = |records: Vec<Arc<Record>>| {
        records
            .iter()
            .map(|record| record.id.clone())
            .collect::<Vec<_>>()
    };
    let all = engine.list(&principal("alice"), None, 10).await.unwrap();
    assert_eq!(ids(all), mine);
    let rest = engine
        .list(&principal("alice"), Some(&mine[0]), 1)
        .await
        .unwrap();
    assert_eq!(ids(rest), mine[1..2]);
}

#[tokio::test]
async fn callers_who_cannot_be_told_apart_list_nothing() {
    let engine = engine();
    engine
        .create(new(Owner::Bearer, Dialect::Core))
        .await
        .unwrap();
    assert!(
        engine
            .list(&Owner::Bearer, None, 10)
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test(start_paused = true)]
async fn every_change_wakes_the_watchers() {
    let engine = engine();
    let id = started(&engine, Dialect::Core).await;
    let mut watches = [engine.watch(&id), engine.watch(&id)];
    engine.submit(&id, Event::End(result())).await.unwrap();
    for watch in &mut watches {
        timeout(HOUR, watch.changed())
            .await
            .expect("the end is a change");
    }
    // The feed named the task more than once before the watches were there; what is left over is
    // taken here.
    for watch in &mut watches {
        let _leftover = timeout(Duration::from_millis(1), watch.changed()).await;
    }
    for watch in &mut watches {
        timeout(HOUR, watch.changed())
            .await
            .expect("so is the removal");
    }
    assert_eq!(engine.counts().watches, 2);
    drop(watches);
    assert_eq!(engine.counts(), EngineCounts::default());
}

#[tokio::test]
async fn the_loops_end_with_the_engine() {
    let engine = engine();
    tokio::task::yield_now().await;
    let store = Arc::downgrade(&engine.store);
    drop(engine);
    timeout(Duration::from_secs(10), async {
        while store.strong_count() > 0 {
            tokio::task::yield_now().await;
        }
    })
    .await
    .expect("no loop holds the store");
}

#[test]
fn each_runtime_that_serves_has_loops_of_its_own() {
    let runtime = || {
        tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap()
    };
    let first = runtime();
    let engine = first.block_on(async { engine() });
    let woken = |on: tokio::runtime::Runtime| {
        on.block_on(async {
            engine.start();
            engine.start();
            let id = started(&engine, Dialect::Core).await;
            let mut watch = engine.watch(&id);
            engine.submit(&id, Event::End(result())).await.unwrap();
            timeout(Duration::from_secs(10), watch.changed())
                .await
                .expect("woken");
        });
    };
    // The first runtime is alive and not driven.
    woken(runtime());
    drop(first);
    woken(runtime());
}
