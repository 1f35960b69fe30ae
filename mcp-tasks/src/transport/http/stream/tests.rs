use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;

async fn next(stream: &Stream, reader: Reader) -> Option<String> {
    let event = poll_fn(|cx| stream.poll_next(reader, cx)).await?;
    Some(String::from_utf8(event.message.joined()).expect("text"))
}

fn respond(stream: &Stream, frame: &str) {
    stream.respond(Answer {
        message: frame.as_bytes().to_vec().into(),
        error: None,
        lost: None,
    });
}

#[tokio::test]
async fn frames_come_in_order_and_end_with_the_response() {
    let stream = Stream::new(Kind::Once);
    let reader = stream.read();
    assert!(stream.send(b"one".to_vec()));
    respond(&stream, "two");
    assert!(!stream.send(b"too late".to_vec()));
    assert_eq!(next(&stream, reader).await.as_deref(), Some("one"));
    assert!(!stream.is_read());
    assert_eq!(next(&stream, reader).await.as_deref(), Some("two"));
    assert!(stream.is_read());
    assert_eq!(next(&stream, reader).await, None);
}

#[tokio::test]
async fn a_reader_that_resumes_gets_what_it_missed_and_the_old_one_ends() {
    let stream = Stream::new(Kind::Resumable);
    let first = stream.read();
    for frame in ["one", "two"] {
        stream.send(frame.into());
    }
    next(&stream, first).await;
    next(&stream, first).await;
    assert!(stream.left(first));
    respond(&stream, "three");
    let second = stream.read_after(1).expect("still kept");
    assert_eq!(next(&stream, first).await, None);
    assert_eq!(next(&stream, second).await.as_deref(), Some("two"));
    assert_eq!(next(&stream, second).await.as_deref(), Some("three"));
    assert!(!stream.left(first), "it was replaced");
}

#[tokio::test]
async fn events_are_kept_up_to_a_bound() {
    let stream = Stream::new(Kind::Resumable);
    let reader = stream.read();
    for _ in 0..=KEPT_EVENTS {
        stream.send(b"x".to_vec());
        next(&stream, reader).await;
    }
    assert!(stream.read_after(0).is_none(), "the first event is gone");
    assert!(stream.read_after(1).is_some());
    assert!(stream.read_after(9_999).is_none(), "never was");
}

#[tokio::test]
async fn a_waiting_reader_is_woken() {
    let stream = Arc::new(Stream::new(Kind::Once));
    let reader = stream.read();
    let waiting = tokio::spawn({
        let stream = Arc::clone(&stream);
        async move { next(&stream, reader).await }
    });
    tokio::task::yield_now().await;
    stream.send(b"late".to_vec());
    assert_eq!(waiting.await.expect("no panic").as_deref(), Some("late"));
}

#[test]
fn what_nobody_reads_is_not_sent_on_a_sessions_own_stream() {
    let stream = Stream::new(Kind::Session);
    assert!(!stream.is_open());
    assert!(!stream.send(b"x".to_vec()));
    let reader = stream.read();
    assert!(stream.is_open());
    assert!(stream.send(b"x".to_vec()));
    stream.left(reader);
    assert!(!stream.send(b"x".to_vec()));
}

#[test]
fn a_response_that_its_client_did_not_take_is_reported_lost_and_only_then() {
    let lost = |leave: bool, late: bool| {
        let heard = Arc::new(AtomicBool::new(false));
        let stream = Stream::new(Kind::Once);
        let reader = stream.read();
        if late {
            stream.left(reader);
        }
        let flag = Arc::clone(&heard);
        stream.respond(Answer {
            message: b"task".to_vec().into(),
            error: None,
            lost: Some(Box::new(move || flag.store(true, Ordering::Relaxed))),
        });
        let mut cx = Context::from_waker(Waker::noop());
        if !leave {
            assert!(stream.poll_next(reader, &mut cx).is_ready());
        }
        stream.left(reader);
        heard.load(Ordering::Relaxed)
    };
    assert!(!lost(false, false), "it was read");
    assert!(lost(true, false), "left before it was read");
    assert!(lost(true, true), "left before it was sent");
}

#[tokio::test]
async fn an_event_that_never_was_is_nothing_to_resume_after() {
    let stream = Stream::new(Kind::Resumable);
    let reader = stream.read();
    stream.send(b"one".to_vec());
    for after in [2, u64::MAX] {
        assert!(stream.read_after(after).is_none(), "{after}");
    }
    assert_eq!(next(&stream, reader).await.as_deref(), Some("one"));
}
