use tokio::time::{advance, sleep};

use super::*;

#[tokio::test(start_paused = true)]
async fn an_ended_task_is_kept_and_then_expired_for_its_owner_alone() {
    let engine = engine();
    let record = engine
        .create(new(principal("alice"), Dialect::Core))
        .await
        .unwrap();
    engine.submit(&record.id, Event::Start).await.unwrap();
    sleep(Duration::from_secs(5)).await;
    let ended = engine
        .submit(&record.id, Event::End(result()))
        .await
        .unwrap();
    assert_eq!(ended.ttl, 15_000);
    sleep(Duration::from_millis(9_990)).await;
    assert!(engine.get(&principal("alice"), &record.id).await.is_ok());
    sleep(Duration::from_millis(20)).await;
    assert!(matches!(
        engine.get(&principal("alice"), &record.id).await,
        Err(LookupError::Expired)
    ));
    assert!(matches!(
        engine.get(&principal("bob"), &record.id).await,
        Err(LookupError::Unknown)
    ));
    assert!(matches!(
        engine.submit(&record.id, answer()).await,
        Err(SubmitError::Gone)
    ));
    assert_eq!(engine.counts(), EngineCounts::default());
    sleep(HOUR).await;
    assert!(matches!(
        engine.get(&principal("alice"), &record.id).await,
        Err(LookupError::Unknown)
    ));
}

#[tokio::test(start_paused = true)]
async fn a_task_whose_time_is_up_is_expired_before_the_sleeper_comes_round() {
    let engine = Engine::new(
        Arc::new(MemoryStore::new()),
        Clock::new(),
        limits(),
        Arc::new(()),
    );
    let id = started(&engine, Dialect::Extension).await;
    let kept = started(&engine, Dialect::Extension).await;
    engine
        .submit(&kept, Event::End(Outcome::Result(Arc::new(huge()))))
        .await
        .unwrap();
    advance(Duration::from_secs(70)).await;
    assert!(
        engine.store.get(&id).await.unwrap().is_some(),
        "nobody has swept"
    );
    for id in [&id, &kept] {
        assert!(matches!(
            engine.get(&Owner::Process, id).await,
            Err(LookupError::Expired)
        ));
        assert!(matches!(
            engine.get(&Owner::Bearer, id).await,
            Err(LookupError::Unknown)
        ));
        assert!(matches!(
            engine.submit(id, Event::End(result())).await,
            Err(SubmitError::Gone)
        ));
    }
    assert!(
        engine
            .list(&Owner::Process, None, 10)
            .await
            .unwrap()
            .is_empty()
    );
}

fn huge() -> CallOutput {
    let content = RawValue::from_string(format!("[\"{}\"]", "x".repeat(1 << 20))).unwrap();
    CallOutput {
        content,
        structured: None,
        meta: None,
        is_error: false,
    }
}

#[tokio::test(start_paused = true)]
async fn a_page_is_full_although_some_of_it_has_expired() {
    let engine = Engine::new(
        Arc::new(MemoryStore::new()),
        Clock::new(),
        limits(),
        Arc::new(()),
    );
    let mut ids = Vec::new();
    for n in 0..10 {
        let id = started(&engine, Dialect::Core).await;
        if n % 3 == 0 {
            engine.submit(&id, Event::End(result())).await.unwrap();
        } else {
            ids.push(id);
        }
    }
    advance(Duration::from_secs(30)).await;
    let page = engine.list(&Owner::Process, None, 4).await.unwrap();
    assert_eq!(
        page.iter()
            .map(|record| record.id.clone())
            .collect::<Vec<_>>(),
        ids[..4]
    );
    let rest = engine
        .list(&Owner::Process, Some(&ids[3]), 4)
        .await
        .unwrap();
    assert_eq!(
        rest.iter()
            .map(|record| record.id.clone())
            .collect::<Vec<_>>(),
        ids[4..]
    );
}

#[tokio::test(start_paused = true)]
async fn a_task_lives_as_long_as_it_may_wait_for_its_answer() {
    let engine = engine();
    let id = asking(&engine, Dialect::Extension).await;
    sleep(HOUR).await;
    assert_eq!(status(&engine, &id).await, TaskStatus::InputRequired);
    sleep(Duration::from_secs(71)).await;
    assert!(matches!(
        engine.get(&Owner::Process, &id).await,
        Err(LookupError::Expired)
    ));
    assert_eq!(engine.counts(), EngineCounts::default());
}

#[tokio::test(start_paused = true)]
async fn a_wish_keeps_a_result_longer_and_within_the_servers_bounds() {
    let engine = engine();
    let wish = Some(Duration::MAX);
    let record = engine
        .create(NewTask {
            wish,
            ..new(Owner::Process, Dialect::Core)
        })
        .await
        .unwrap();
    engine
        .submit(&record.id, Event::End(result()))
        .await
        .unwrap();
    sleep(23 * HOUR).await;
    assert!(engine.get(&Owner::Process, &record.id).await.is_ok());
    sleep(HOUR).await;
    assert!(matches!(
        engine.get(&Owner::Process, &record.id).await,
        Err(LookupError::Expired)
    ));
}

#[tokio::test(start_paused = true)]
async fn a_queued_task_is_not_lost_for_its_short_budget() {
    let engine = engine();
    let record = engine
        .create(new(Owner::Process, Dialect::Core))
        .await
        .unwrap();
    sleep(2 * HOUR).await;
    let started = engine.submit(&record.id, Event::Start).await.unwrap();
    assert_eq!(started.ttl, as_millis(2 * HOUR) + 70_000);
}

#[tokio::test(start_paused = true)]
async fn endless_times_do_no_harm() {
    let engine = engine_with(EngineLimits {
        max_keep: Duration::MAX,
        ..limits()
    });
    let ever = Duration::MAX;
    let endless = NewTask {
        keep: ever,
        wish: Some(ever),
        run_budget: ever,
        ..new(Owner::Process, Dialect::Core)
    };
    let record = engine
        .create(NewTask {
            poll_interval: ever,
            ..endless
        })
        .await
        .unwrap();
    engine.submit(&record.id, Event::Start).await.unwrap();
    let short = started(&engine, Dialect::Core).await;
    sleep(24 * 365 * HOUR).await;
    assert!(
        matches!(
            engine.get(&Owner::Process, &short).await,
            Err(LookupError::Unknown)
        ),
        "long gone"
    );
    let ended = engine
        .submit(&record.id, Event::End(result()))
        .await
        .unwrap();
    assert_eq!(ended.snapshot().ttl, None);
}

#[tokio::test(start_paused = true)]
async fn a_task_that_nobody_ever_starts_goes_in_the_end() {
    let engine = engine();
    tokio::task::yield_now().await;
    engine
        .create(new(Owner::Process, Dialect::Core))
        .await
        .unwrap();
    sleep(25 * HOUR).await;
    assert_eq!(engine.counts(), EngineCounts::default());
}
