use super::*;

async fn create(engine: &Engine, owner: Owner) -> Result<TaskId, u64> {
    match engine.create(new(owner, Dialect::Extension)).await {
        Ok(record) => Ok(record.id.clone()),
        Err(CreateError::TooMany { retry_after }) => Err(retry_after),
        Err(error) => panic!("{error:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn an_end_makes_room_for_the_next_task() {
    let engine = engine_with(EngineLimits {
        live: 2,
        ..limits()
    });
    let first = create(&engine, Owner::Process).await.unwrap();
    create(&engine, Owner::Process).await.unwrap();
    assert_eq!(create(&engine, Owner::Process).await, Err(1_000));
    engine
        .submit(&first, Event::EndCancelled("stopped".into()))
        .await
        .unwrap();
    create(&engine, Owner::Process).await.unwrap();
    let counts = engine.counts();
    assert_eq!((counts.live, counts.kept), (2, 1));
}

#[tokio::test(start_paused = true)]
async fn one_caller_over_its_limit_stops_nobody_else() {
    let engine = engine_with(EngineLimits {
        live_per_principal: 1,
        ..limits()
    });
    create(&engine, principal("alice")).await.unwrap();
    assert!(create(&engine, principal("alice")).await.is_err());
    create(&engine, principal("bob")).await.unwrap();
    for _ in 0..3 {
        create(&engine, Owner::Bearer).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn kept_results_over_their_limit_make_callers_wait_for_the_next_expiry() {
    let engine = engine_with(EngineLimits {
        kept_bytes: 1,
        ..limits()
    });
    let first = create(&engine, Owner::Process).await.unwrap();
    engine.submit(&first, Event::End(result())).await.unwrap();
    assert_eq!(
        create(&engine, Owner::Process).await,
        Err(10_000),
        "its keep"
    );
    tokio::time::sleep(Duration::from_millis(10_001)).await;
    create(&engine, Owner::Process).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn callers_at_once_do_not_slip_past_a_limit() {
    let engine = engine_with(EngineLimits {
        live: 10,
        ..limits()
    });
    let mut callers = tokio::task::JoinSet::new();
    for _ in 0..100 {
        let engine = Arc::clone(&engine);
        callers.spawn(async move { create(&engine, Owner::Process).await.is_ok() });
    }
    let made = callers
        .join_all()
        .await
        .into_iter()
        .filter(|made| *made)
        .count();
    assert_eq!((made, engine.counts().live), (10, 10));
}
