use crate::model::principal::Principal;

use super::*;

const NOW: Millis = Millis(1_000);

fn limits() -> EngineLimits {
    EngineLimits {
        live: 3,
        live_per_principal: 2,
        kept_bytes: 2 * RECORD_BYTES,
        max_keep: Duration::ZERO,
    }
}

fn id(n: usize) -> TaskId {
    TaskId::new(n.to_string())
}

fn principal(name: &str) -> Owner {
    Owner::Principal(Principal::new("https://issuer.example", name))
}

#[test]
fn an_end_and_an_expiry_count_once_however_often_they_are_told() {
    let mut ledger = Ledger::default();
    ledger.open(&id(1), &principal("alice"), &limits()).unwrap();
    for _ in 0..3 {
        ledger.end(&id(1), 5);
        let counts = EngineCounts {
            live: 0,
            kept: 1,
            kept_bytes: RECORD_BYTES + 5,
            watches: 0,
        };
        assert_eq!(ledger.counts(), counts);
    }
    for _ in 0..3 {
        ledger.expire(&id(1), &principal("alice"), NOW);
        ledger.end(&id(1), 5);
        assert_eq!(ledger.counts(), EngineCounts::default());
    }
    assert!(ledger.live_per_principal.is_empty() && ledger.lines.is_empty());
}

#[test]
fn a_task_that_expires_alive_gives_its_place_back() {
    let mut ledger = Ledger::default();
    for n in 0..2 {
        ledger.open(&id(n), &principal("alice"), &limits()).unwrap();
    }
    assert_eq!(
        ledger.open(&id(2), &principal("alice"), &limits()),
        Err(NotOpened::Full(Full::Live))
    );
    ledger.expire(&id(0), &principal("alice"), NOW);
    assert_eq!(ledger.open(&id(2), &principal("alice"), &limits()), Ok(()));
}

#[test]
fn one_caller_cannot_take_the_room_of_another() {
    let mut ledger = Ledger::default();
    for n in 0..2 {
        ledger.open(&id(n), &principal("alice"), &limits()).unwrap();
    }
    assert_eq!(
        ledger.open(&id(2), &principal("alice"), &limits()),
        Err(NotOpened::Full(Full::Live))
    );
    assert_eq!(ledger.open(&id(2), &principal("bob"), &limits()), Ok(()));
    assert_eq!(
        ledger.open(&id(3), &principal("bob"), &limits()),
        Err(NotOpened::Full(Full::Live)),
        "three in all"
    );
}

#[test]
fn only_authenticated_callers_have_a_limit_of_their_own() {
    for owner in [Owner::Process, Owner::Bearer] {
        let mut ledger = Ledger::default();
        for n in 0..3 {
            assert_eq!(ledger.open(&id(n), &owner, &limits()), Ok(()));
        }
    }
}

#[test]
fn kept_results_fill_the_room_even_if_each_is_small() {
    let mut ledger = Ledger::default();
    for n in 0..2 {
        ledger.open(&id(n), &Owner::Process, &limits()).unwrap();
        ledger.end(&id(n), 0);
    }
    assert_eq!(
        ledger.open(&id(2), &Owner::Process, &limits()),
        Err(NotOpened::Full(Full::Kept))
    );
    ledger.expire(&id(0), &Owner::Process, NOW);
    assert_eq!(ledger.open(&id(2), &Owner::Process, &limits()), Ok(()));
}

#[test]
fn an_expired_id_is_remembered_for_an_hour_and_for_its_owner() {
    let mut ledger = Ledger::default();
    ledger.expire(&id(1), &principal("alice"), NOW);
    let later = NOW.plus(REMEMBERED_FOR);
    assert!(ledger.has_expired(&principal("alice"), &id(1), Millis(later.0 - 1)));
    assert!(!ledger.has_expired(&principal("alice"), &id(1), later));
    assert!(!ledger.has_expired(&principal("bob"), &id(1), NOW));
}

#[test]
fn a_task_between_store_and_memory_is_expired() {
    let mut ledger = Ledger::default();
    ledger.open(&id(1), &principal("alice"), &limits()).unwrap();
    assert!(ledger.has_expired(&principal("alice"), &id(1), NOW));
    assert!(!ledger.has_expired(&principal("bob"), &id(1), NOW));
}

#[test]
fn only_so_many_expired_ids_are_remembered() {
    let mut ledger = Ledger::default();
    for n in 0..=REMEMBERED {
        ledger.expire(&id(n), &Owner::Process, NOW);
    }
    assert_eq!(
        (ledger.expired.order.len(), ledger.expired.owners.len()),
        (REMEMBERED, REMEMBERED)
    );
    assert!(
        !ledger.has_expired(&Owner::Process, &id(0), NOW),
        "the oldest goes first"
    );
    assert!(ledger.has_expired(&Owner::Process, &id(REMEMBERED), NOW));
    ledger.expire(&id(0), &Owner::Process, NOW.plus(REMEMBERED_FOR));
    assert_eq!(
        ledger.expired.order.len(),
        1,
        "old ones are not held until the room is needed"
    );
}

/// There is one for every task, and the table that holds them is up to twice their size.
#[test]
fn the_line_of_a_task_is_no_longer_than_two_words() {
    assert!(size_of::<Line>() <= 2 * size_of::<usize>());
}
