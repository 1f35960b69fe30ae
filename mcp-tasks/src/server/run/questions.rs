//! The questions of one run, from asked to answered.

use std::sync::{Arc, Weak};

use serde_json::value::RawValue;
use tokio::sync::oneshot;

use super::super::outlet::Outlet;
use super::super::peer::Peer;
use super::asking::{ASKING, Asking};
use crate::context::port::Answered;
use crate::model::capability::{Capabilities, Capability};
use crate::model::error::AskError;
use crate::model::input::{InputRequest, InputResponse};
use crate::wire::envelope::RequestId;
use crate::wire::{input, legacy};

/// A question that waits for its answer.
pub(super) struct Open {
    pub(super) key: Arc<str>,
    pub(super) request: Arc<InputRequest>,
    slot: oneshot::Sender<Answered>,
    pub(super) sent: Sent,
}

impl Open {
    /// Whether nobody who could answer will see it where it is.
    pub(super) fn is_lost(&self) -> bool {
        match &self.sent {
            Sent::Lost => true,
            Sent::Asked { outlet, .. } => outlet.upgrade().is_none_or(|outlet| !outlet.is_open()),
            Sent::No | Sent::Shown | Sent::Answered => false,
        }
    }

    #[cfg(feature = "http")]
    pub(super) fn was_asked_on(&self, way: &Weak<dyn Outlet>) -> bool {
        matches!(&self.sent, Sent::Asked { outlet, .. } if outlet.ptr_eq(way))
    }

    /// Tells a client that was asked that its answer is not wanted any more. `false` if its answer, or word that it is gone,
    /// is being taken in at this moment.
    pub(super) fn take_back(&self) -> bool {
        let Sent::Asked { peer, outlet, id } = &self.sent else {
            return true;
        };
        let Some(peer) = peer.upgrade() else {
            return true;
        };
        let is_open = peer.requests.forget(*id).is_some();
        if is_open && let Some(outlet) = outlet.upgrade() {
            let id = RequestId::Number((*id).into());
            outlet.send(legacy::cancelled(
                &id,
                "nobody waits for the answer any more",
            ));
        }
        is_open
    }
}

/// Where a question is.
pub(super) enum Sent {
    /// Not yet anywhere.
    No,
    /// In a result or a task's record, for the client to find.
    Shown,
    /// A request to this client, under this id.
    Asked {
        peer: Weak<Peer>,
        outlet: Weak<dyn Outlet>,
        id: u64,
    },
    /// Was a request that the client has answered. Until the answer is handed over, nobody is asked again.
    Answered,
    /// Was a request to a client that is gone; in the record for the next one.
    Lost,
}

/// The questions of one run.
#[derive(Default)]
pub(super) struct Questions {
    /// What they need; nothing before the first one.
    pub(super) asking: Option<&'static Asking>,
    pub(super) open: Vec<Open>,
    /// Keys that were used, with the highest number that was put behind each. One whose question is open need not be
    /// here: few runs ask more than once.
    used: Vec<(Arc<str>, u64)>,
    /// Answers that came with the call, before any question.
    early: Vec<(String, Box<RawValue>)>,
    /// Answers for the driver to hand to the body.
    arrived: Vec<(Arc<str>, Answered)>,
    /// Keys that the task's record should not show any more.
    pub(super) withdrawn: Vec<Arc<str>>,
}

impl Questions {
    pub(super) fn new(early: Vec<(String, Box<RawValue>)>) -> Self {
        Self {
            early,
            ..Self::default()
        }
    }

    /// Takes a question in under a key that was never used: `confirm`, then `confirm-2`.
    pub(super) fn ask(
        &mut self,
        key: &str,
        request: Arc<InputRequest>,
    ) -> (Arc<str>, oneshot::Receiver<Answered>) {
        self.asking = Some(&ASKING);
        let key = self.unused_key(key);
        let (slot, answer) = oneshot::channel();
        if let Some(early) = self.early_answer(&key, &request) {
            let _ = slot.send(Ok(Arc::new(early)));
            self.has_used(&key);
        } else {
            if self.open.is_empty() {
                self.open.reserve_exact(1);
            }
            let key = Arc::clone(&key);
            self.open.push(Open {
                key,
                request,
                slot,
                sent: Sent::No,
            });
        }
        (key, answer)
    }

    fn unused_key(&mut self, key: &str) -> Arc<str> {
        if !self.knows(key) {
            return key.into();
        }
        let known = self.has_used(&key.into());
        loop {
            self.used[known].1 += 1;
            let numbered = format!("{key}-{}", self.used[known].1);
            if !self.knows(&numbered) {
                return numbered.into();
            }
        }
    }

    fn knows(&self, key: &str) -> bool {
        self.find(key).is_some() || self.used.iter().any(|(used, _)| **used == *key)
    }

    /// Notes that a key was used; its place among those.
    fn has_used(&mut self, key: &Arc<str>) -> usize {
        let known = self.used.iter().position(|(used, _)| used == key);
        known.unwrap_or_else(|| {
            self.used.push((Arc::clone(key), 1));
            self.used.len() - 1
        })
    }

    /// An early answer that does not fit is no answer: the question is asked.
    fn early_answer(&mut self, key: &str, request: &InputRequest) -> Option<InputResponse> {
        let place = self.early.iter().position(|(early, _)| early == key)?;
        let (_, raw) = self.early.swap_remove(place);
        input::read(request, &raw).ok()
    }

    pub(super) fn find(&self, key: &str) -> Option<&Open> {
        self.open.iter().find(|open| *open.key == *key)
    }

    /// The question that was put to this client as a request under this id.
    pub(super) fn asked(&mut self, peer: &Peer, id: u64) -> Option<&mut Open> {
        self.open.iter_mut().find(|open| {
            matches!(&open.sent, Sent::Asked { peer: asked, id: under, .. }
                if *under == id && std::ptr::eq(asked.as_ptr(), peer))
        })
    }

    pub(super) fn remove(&mut self, key: &str) -> Option<Open> {
        let place = self.open.iter().position(|open| *open.key == *key)?;
        let open = self.open.remove(place);
        self.has_used(&open.key);
        Some(open)
    }

    pub(super) fn unsent(&self) -> bool {
        self.open.iter().any(|open| matches!(open.sent, Sent::No))
    }

    /// Notes an answer for the driver; the first one for a key counts.
    pub(super) fn arrive(&mut self, key: &Arc<str>, answer: Answered) {
        if !self.arrived.iter().any(|(known, _)| known == key) {
            self.arrived.push((Arc::clone(key), answer));
        }
    }

    pub(super) fn has_arrived(&self) -> bool {
        !self.arrived.is_empty()
    }

    /// Keys of open questions that no answer has arrived for.
    pub(super) fn unanswered(&self) -> impl Iterator<Item = &Open> {
        self.open
            .iter()
            .filter(|open| !self.arrived.iter().any(|(key, _)| *key == open.key))
    }

    /// Unanswered questions that a client of these capabilities cannot be asked, and what it lacks.
    pub(super) fn beyond(&self, capabilities: Capabilities) -> Vec<(Arc<str>, Capability)> {
        self.unanswered()
            .map(|open| (Arc::clone(&open.key), open.request.requires()))
            .filter(|(_, needed)| !capabilities.has(*needed))
            .collect()
    }

    /// Hands every arrived answer to the body. Gives back the keys of proper answers.
    pub(super) fn hand_over(&mut self) -> Vec<Arc<str>> {
        let arrived = std::mem::take(&mut self.arrived);
        let mut delivered = Vec::with_capacity(arrived.len());
        for (key, answer) in arrived {
            if let Some(open) = self.remove(&key) {
                if answer.is_ok() {
                    delivered.push(key);
                }
                // A body that has stopped waiting does not miss it.
                let _ = open.slot.send(answer);
            }
        }
        delivered
    }

    /// Ends every question in the same way; none of them waits for an answer any more, in the record neither.
    pub(super) fn end_all(&mut self, error: &AskError) {
        self.arrived.clear();
        for open in std::mem::take(&mut self.open) {
            self.has_used(&open.key);
            open.take_back();
            if !matches!(open.sent, Sent::No) {
                self.withdrawn.push(open.key);
            }
            let _ = open.slot.send(Err(error.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(questions: &mut Questions, key: &str) -> String {
        let (key, _answer) = questions.ask(key, Arc::new(InputRequest::Roots));
        key.to_string()
    }

    #[test]
    fn no_key_is_used_twice_whether_its_question_is_open_or_over() {
        let mut questions = Questions::default();
        assert_eq!(ask(&mut questions, "a"), "a");
        assert_eq!(ask(&mut questions, "a"), "a-2");
        assert!(questions.remove("a").is_some() && questions.remove("a-2").is_some());
        assert_eq!(ask(&mut questions, "a-3"), "a-3");
        assert_eq!(ask(&mut questions, "a"), "a-4");
        questions.end_all(&AskError::Gone);
        assert_eq!(ask(&mut questions, "a-4"), "a-4-2");
        assert_eq!(ask(&mut questions, "a"), "a-5");
        assert_eq!(ask(&mut questions, "b"), "b");
    }

    #[test]
    fn a_key_whose_answer_came_early_is_used() {
        let yes = RawValue::from_string(r#"{"roots":[]}"#.to_owned()).expect("it is JSON");
        let mut questions = Questions::new(vec![("a".to_owned(), yes)]);
        assert_eq!(ask(&mut questions, "a"), "a");
        assert!(questions.open.is_empty());
        assert_eq!(ask(&mut questions, "a"), "a-2");
    }
}
