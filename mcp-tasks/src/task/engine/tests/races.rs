//! Two who have an event for one task at the same moment: one outcome, and nothing left in the
//! tables.

use super::*;

const ROUNDS: usize = 10_000;

/// Runs both at once on two threads.
async fn both<A, B>(first: A, second: B) -> (A::Output, B::Output)
where
    A: Future<Output: Send> + Send + 'static,
    B: Future<Output: Send> + Send + 'static,
{
    let (first, second) = (tokio::spawn(first), tokio::spawn(second));
    (first.await.unwrap(), second.await.unwrap())
}

fn submit(
    engine: &Arc<Engine>,
    id: &TaskId,
    event: Event,
) -> impl Future<Output = Result<Arc<Record>, SubmitError>> + Send + 'static {
    let (engine, id) = (Arc::clone(engine), id.clone());
    async move { engine.submit(&id, event).await }
}

async fn assert_nothing_left(engine: &Engine, kept: usize) {
    let counts = engine.counts();
    assert_eq!((counts.live, counts.kept), (0, kept));
    sweep_all(engine).await;
    assert_eq!(engine.counts(), EngineCounts::default());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_core_cancel_and_an_end_have_one_winner() {
    let engine = engine();
    let mut cancels = 0;
    for round in 0..ROUNDS {
        let id = started(&engine, Dialect::Core).await;
        let cancel = submit(&engine, &id, Event::Cancel(CancelReason::Requested));
        let end = submit(&engine, &id, Event::End(result()));
        // Neither has the head start in every round, however few processors there are.
        let (cancel, end) = if round % 2 == 0 {
            both(cancel, end).await
        } else {
            let (end, cancel) = both(end, cancel).await;
            (cancel, end)
        };
        assert_ne!(cancel.is_ok(), end.is_ok(), "one outcome");
        let expected = if cancel.is_ok() {
            TaskStatus::Cancelled
        } else {
            TaskStatus::Completed
        };
        assert_eq!(status(&engine, &id).await, expected);
        let Err(SubmitError::Rejected(why, record)) = cancel.and(end) else {
            panic!("the loser is told why");
        };
        let stands = (Rejected::Terminal(expected), expected);
        assert_eq!((why, record.status), stands);
        cancels += usize::from(expected == TaskStatus::Cancelled);
    }
    assert!(cancels > 0 && cancels < ROUNDS, "{cancels} of {ROUNDS}");
    assert_nothing_left(&engine, ROUNDS).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_extension_cancel_does_not_overwrite_a_result() {
    let engine = engine();
    for _ in 0..ROUNDS {
        let id = started(&engine, Dialect::Extension).await;
        let cancel = submit(&engine, &id, Event::Cancel(CancelReason::Requested));
        let (cancel, end) = both(cancel, submit(&engine, &id, Event::End(result()))).await;
        let ended = end.expect("a result is taken before and after the note");
        assert_eq!(ended.cancel.is_some(), cancel.is_ok());
        let found = engine.get(&Owner::Process, &id).await.unwrap();
        assert_eq!(
            (found.status, found.version),
            (TaskStatus::Completed, ended.version)
        );
        assert!(found.outcome.is_some());
    }
    assert_nothing_left(&engine, ROUNDS).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_answer_and_a_cancel_leave_no_open_question() {
    let engine = engine();
    for round in 0..ROUNDS {
        let dialect = [Dialect::Core, Dialect::Extension, Dialect::Draft][round % 3];
        let id = asking(&engine, dialect).await;
        let cancel = submit(&engine, &id, Event::Cancel(CancelReason::Requested));
        let (answer, cancel) = both(submit(&engine, &id, answer()), cancel).await;
        let cancelled = cancel.expect("a cancel is taken before and after the answer");
        let after_the_cancel = match dialect {
            Dialect::Extension => Rejected::Unchanged,
            _ => Rejected::Terminal(TaskStatus::Cancelled),
        };
        match answer {
            Ok(answered) => {
                assert!(answered.version < cancelled.version && answered.cancel.is_none());
            }
            Err(SubmitError::Rejected(why, _)) => assert_eq!(why, after_the_cancel),
            Err(error) => panic!("{error:?}"),
        }
        let found = engine.get(&Owner::Process, &id).await.unwrap();
        assert_eq!(
            (found.open_inputs().count(), found.version),
            (0, cancelled.version)
        );
        if dialect == Dialect::Extension {
            engine
                .submit(&id, Event::EndCancelled("stopped".into()))
                .await
                .unwrap();
        }
    }
    assert_nothing_left(&engine, ROUNDS).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_answer_and_an_expiry_have_one_order() {
    let engine = engine();
    for _ in 0..ROUNDS {
        let id = asking(&engine, Dialect::Extension).await;
        let sweeper = engine.sweeper();
        let expiry = async move { sweeper.sweep(Millis(u64::MAX)).await };
        let (answer, expiry) = both(submit(&engine, &id, answer()), expiry).await;
        assert_eq!(expiry.unwrap(), None);
        match answer {
            Ok(answered) => assert_eq!(answered.status, TaskStatus::Working),
            Err(error) => assert!(matches!(error, SubmitError::Gone), "{error:?}"),
        }
        let late = engine.submit(&id, Event::End(result())).await;
        assert!(matches!(late, Err(SubmitError::Gone)));
        assert!(matches!(
            engine.get(&Owner::Process, &id).await,
            Err(LookupError::Expired)
        ));
        assert_eq!(engine.counts(), EngineCounts::default());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_waiter_that_registers_before_it_reads_misses_no_end() {
    let engine = engine();
    for _ in 0..ROUNDS {
        let id = started(&engine, Dialect::Core).await;
        let waiter = {
            let (engine, id) = (Arc::clone(&engine), id.clone());
            async move {
                let mut watch = engine.watch(&id);
                while !status(&engine, &id).await.is_terminal() {
                    watch.changed().await;
                }
            }
        };
        let pair = both(waiter, submit(&engine, &id, Event::End(result())));
        let ((), end) = tokio::time::timeout(Duration::from_secs(30), pair)
            .await
            .expect("the waiter is woken");
        end.unwrap();
    }
    assert_nothing_left(&engine, ROUNDS).await;
}
