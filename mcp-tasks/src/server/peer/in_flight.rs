//! The requests of one connection that wait for their responses.

use std::collections::HashMap;
use std::sync::Arc;

use super::Peer;
use crate::context::Stop;
use crate::model::cancel::CancelReason;
use crate::server::gate::Pass;
use crate::server::run::Run;
use crate::wire::envelope::RequestId;

/// What a request in flight is busy with, so that it can be cancelled.
#[derive(Clone)]
pub(in crate::server) enum Activity {
    /// A tool call.
    Call(Arc<Run>),
    /// A wait for a task; ends by its `Stop`.
    Wait(Arc<Stop>),
    /// A look at the store; ends by its `Stop`. However many there are, there is room for one more.
    Lookup(Arc<Stop>),
    /// A subscription; it never holds up the end of a connection.
    Listen(Arc<Stop>),
}

/// A request in flight.
pub(super) struct Listed {
    pub(super) activity: Activity,
    /// Its room among the requests of all connections.
    pub(super) _pass: Option<Pass>,
}

/// Requests that wait for their responses.
#[derive(Default)]
pub(super) struct InFlight {
    /// Beside the table: most connections, and every request that stands alone, never have two.
    one: Option<(RequestId, Listed)>,
    more: HashMap<RequestId, Listed>,
    /// Those that count against the limit.
    counted: usize,
    /// No more input is taken in.
    pub(super) closed: bool,
}

impl InFlight {
    pub(super) fn has(&self, id: &RequestId) -> bool {
        self.get(id).is_some()
    }

    pub(super) fn get(&self, id: &RequestId) -> Option<&Activity> {
        let listed = match &self.one {
            Some((one, listed)) if one == id => Some(listed),
            _ if self.more.is_empty() => None,
            _ => self.more.get(id),
        };
        Some(&listed?.activity)
    }

    /// Adds one whose id has none.
    pub(super) fn insert(&mut self, id: RequestId, listed: Listed) {
        self.counted += usize::from(listed.activity.counts());
        if self.one.is_none() {
            self.one = Some((id, listed));
        } else {
            self.more.insert(id, listed);
        }
    }

    pub(super) fn remove(&mut self, id: &RequestId) -> Option<Listed> {
        let listed = match self.one.take_if(|(one, _)| one == id) {
            Some((_, listed)) => listed,
            None => self.more.remove(id)?,
        };
        self.counted -= usize::from(listed.activity.counts());
        Some(listed)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&RequestId, &Activity)> {
        let one = self.one.iter().map(|(id, listed)| (id, listed));
        one.chain(&self.more)
            .map(|(id, listed)| (id, &listed.activity))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.one.is_none() && self.more.is_empty()
    }

    #[cfg(feature = "testing")]
    pub(super) fn len(&self) -> usize {
        usize::from(self.one.is_some()) + self.more.len()
    }

    /// How many count against the limit.
    pub(super) fn counted(&self) -> usize {
        self.counted
    }
}

impl Activity {
    pub(super) fn counts(&self) -> bool {
        !matches!(self, Self::Lookup(_))
    }

    /// Ends it; a call gets the error of a connection that closes.
    pub(super) fn close(&self, peer: &Peer, id: &RequestId) {
        match self {
            Self::Call(run) => run.closed_by_server(peer, id),
            Self::Wait(stop) | Self::Lookup(stop) | Self::Listen(stop) => {
                stop.fire(CancelReason::Shutdown);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u64) -> RequestId {
        RequestId::Number(number.into())
    }

    fn listed(activity: fn(Arc<Stop>) -> Activity) -> Listed {
        Listed {
            activity: activity(Arc::default()),
            _pass: None,
        }
    }

    fn ids(in_flight: &InFlight) -> Vec<RequestId> {
        let mut ids: Vec<_> = in_flight.iter().map(|(id, _)| id.clone()).collect();
        ids.sort_by_key(|id| format!("{id:?}"));
        ids
    }

    #[test]
    fn each_is_found_until_it_is_removed_in_whatever_order() {
        for order in [[1, 2, 3], [3, 2, 1], [2, 1, 3]] {
            let mut in_flight = InFlight::default();
            for number in 1..=3 {
                in_flight.insert(id(number), listed(Activity::Wait));
            }
            let mut left = vec![id(1), id(2), id(3)];
            for number in order {
                assert_eq!(ids(&in_flight), left);
                assert_eq!(in_flight.counted(), left.len());
                assert!(in_flight.has(&id(number)));
                assert!(in_flight.remove(&id(number)).is_some());
                assert!(in_flight.remove(&id(number)).is_none());
                left.retain(|one| *one != id(number));
            }
            assert!(in_flight.is_empty());
        }
    }

    #[test]
    fn the_place_of_the_first_is_taken_again() {
        let mut in_flight = InFlight::default();
        in_flight.insert(id(1), listed(Activity::Wait));
        in_flight.insert(id(2), listed(Activity::Lookup));
        assert_eq!(in_flight.counted(), 1, "there is always room for a look");
        in_flight.remove(&id(1));
        in_flight.insert(id(3), listed(Activity::Listen));
        assert_eq!(ids(&in_flight), [id(2), id(3)]);
        assert_eq!(in_flight.counted(), 1);
    }
}
