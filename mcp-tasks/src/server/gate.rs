//! How much may be under way at a time: of all callers together, and of each authenticated one.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use super::Limits;
use crate::model::concurrency::lock;
use crate::model::error::{Busy, RpcError};
use crate::model::principal::{Owner, Principal};

/// When to try again at a limit of which nobody knows when it has room, in milliseconds.
const RETRY_AFTER: u64 = 1_000;

/// Counts what is under way and lets no more in than there is room for.
pub(crate) struct Gate {
    /// What it counts, as clients read it.
    what: &'static str,
    all: usize,
    each: usize,
    /// What all have taken up; counted without a lock, as every request of every connection comes by.
    taken: AtomicUsize,
    taken_by: Mutex<HashMap<Principal, usize>>,
}

/// The room that something takes up until this is dropped.
pub(crate) struct Pass {
    gate: Arc<Gate>,
    principal: Option<Principal>,
    weight: usize,
}

impl Gate {
    /// A gate with room for `all`, of which each authenticated caller gets `each`.
    fn new(what: &'static str, all: usize, each: usize) -> Arc<Self> {
        Arc::new(Self {
            what,
            all,
            each,
            taken: AtomicUsize::new(0),
            taken_by: Mutex::default(),
        })
    }

    /// Takes up room for `weight`.
    ///
    /// # Errors
    /// What to answer where there is not that much.
    pub(crate) fn enter(self: &Arc<Self>, owner: &Owner, weight: usize) -> Result<Pass, RpcError> {
        let Some(principal) = owner.principal() else {
            self.take(weight)?;
            return Ok(self.pass(None, weight));
        };
        let mut taken_by = lock(&self.taken_by);
        // Where all have to wait, this caller is not the one to slow down.
        if self
            .with(self.taken.load(Ordering::Relaxed), weight)
            .is_none()
        {
            return Err(self.full(false));
        }
        let of_caller = taken_by.get(principal).copied().unwrap_or(0);
        if weight > self.each.saturating_sub(of_caller) {
            return Err(self.full(true));
        }
        self.take(weight)?;
        taken_by.insert(principal.clone(), of_caller + weight);
        Ok(self.pass(Some(principal.clone()), weight))
    }

    /// Takes up room among all.
    fn take(&self, weight: usize) -> Result<(), RpcError> {
        let with = |taken| self.with(taken, weight);
        self.taken
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, with)
            .map_err(|_| self.full(false))?;
        Ok(())
    }

    /// What is taken up with `weight` more, if there is room for that.
    fn with(&self, taken: usize, weight: usize) -> Option<usize> {
        let with = taken.checked_add(weight);
        with.filter(|with| *with <= self.all)
    }

    fn pass(self: &Arc<Self>, principal: Option<Principal>, weight: usize) -> Pass {
        Pass {
            gate: Arc::clone(self),
            principal,
            weight,
        }
    }

    fn full(&self, of_caller: bool) -> RpcError {
        let busy = Busy {
            retry_after: RETRY_AFTER,
            of_caller,
        };
        RpcError::busy(format!("too many {}", self.what), busy)
    }

    /// The room that is taken up.
    #[cfg(feature = "testing")]
    fn count(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        if let Some(principal) = &self.principal {
            let mut taken_by = lock(&self.gate.taken_by);
            if let Some(taken) = taken_by.get_mut(principal) {
                *taken -= self.weight;
                if *taken == 0 {
                    taken_by.remove(principal);
                }
            }
        }
        self.gate.taken.fetch_sub(self.weight, Ordering::Relaxed);
    }
}

/// The limits of the server as a whole, and of each of its callers.
pub(crate) struct Gates {
    /// Requests of all connections.
    pub(super) requests: Arc<Gate>,
    pub(super) subscriptions: Arc<Gate>,
    pub(super) parked: Arc<Gate>,
    /// Bytes of what parked calls keep of their requests.
    pub(super) parked_bytes: Arc<Gate>,
    #[cfg(feature = "http")]
    pub(crate) sessions: Arc<Gate>,
    /// Bytes of responses that their clients have not come back for.
    #[cfg(feature = "http")]
    pub(crate) responses: Arc<Gate>,
}

impl Gates {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            requests: Gate::new(
                "requests",
                limits.in_flight_total,
                limits.in_flight_per_principal,
            ),
            subscriptions: Gate::new(
                "subscriptions",
                limits.subscriptions,
                limits.subscriptions_per_principal,
            ),
            parked: Gate::new(
                "calls that wait for an answer",
                limits.live_tasks,
                limits.live_tasks_per_principal,
            ),
            parked_bytes: Gate::new(
                "calls that wait for an answer",
                limits.kept_bytes,
                limits.kept_bytes,
            ),
            #[cfg(feature = "http")]
            sessions: Gate::new("sessions", limits.sessions, limits.sessions_per_principal),
            #[cfg(feature = "http")]
            responses: Gate::new("responses", limits.kept_bytes, limits.kept_bytes),
        }
    }

    #[cfg(feature = "testing")]
    pub(super) fn count(&self) -> usize {
        let gates = [
            &self.requests,
            &self.subscriptions,
            &self.parked,
            &self.parked_bytes,
            #[cfg(feature = "http")]
            &self.sessions,
            #[cfg(feature = "http")]
            &self.responses,
        ];
        gates.map(|gate| gate.count()).iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(name: &str) -> Owner {
        Owner::Principal(Principal::new("https://issuer.example", name))
    }

    fn refusal(entered: Result<Pass, RpcError>) -> Option<Busy> {
        entered.err().and_then(|error| error.busy)
    }

    #[test]
    fn what_leaves_makes_room() {
        let gate = Gate::new("things", 2, 2);
        let first = gate.enter(&Owner::Bearer, 1);
        let _second = gate.enter(&Owner::Bearer, 1);
        assert!(
            !refusal(gate.enter(&Owner::Bearer, 1))
                .expect("full")
                .of_caller
        );
        drop(first);
        assert!(gate.enter(&Owner::Bearer, 1).is_ok());
    }

    #[test]
    fn one_caller_does_not_take_the_room_of_another() {
        let gate = Gate::new("things", 10, 2);
        let _both = gate.enter(&owner("ada"), 2).expect("room");
        assert!(
            refusal(gate.enter(&owner("ada"), 1))
                .expect("full")
                .of_caller
        );
        assert!(gate.enter(&owner("eve"), 2).is_ok());
    }

    #[test]
    fn where_all_have_to_wait_nobody_is_told_that_it_is_them() {
        let gate = Gate::new("things", 3, 2);
        let _full = [("ada", 2), ("eve", 1)].map(|(name, weight)| gate.enter(&owner(name), weight));
        for name in ["ada", "eve", "bob"] {
            let busy = refusal(gate.enter(&owner(name), 1)).expect("full");
            assert!(!busy.of_caller, "{name}");
        }
    }

    #[test]
    fn nothing_is_remembered_of_who_has_left() {
        let gate = Gate::new("things", 10, 2);
        drop(gate.enter(&owner("ada"), 2));
        assert_eq!(gate.taken.load(Ordering::Relaxed), 0);
        assert!(lock(&gate.taken_by).is_empty());
    }

    #[test]
    fn what_weighs_more_than_there_is_room_for_takes_none_of_it() {
        let gate = Gate::new("things", 3, 3);
        let _two = gate.enter(&owner("ada"), 2).expect("room");
        assert!(gate.enter(&owner("eve"), 2).is_err());
        assert!(gate.enter(&owner("eve"), usize::MAX).is_err());
        assert!(gate.enter(&owner("eve"), 1).is_ok());
    }
}
