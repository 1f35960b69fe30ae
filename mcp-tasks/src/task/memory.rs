//! The in-memory store.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::future::ready;
use std::ops::Bound;
use std::sync::{Arc, Mutex};

use tokio::sync::Notify;

use crate::model::clock::Millis;
use crate::model::principal::Owner;
use crate::model::task::TaskId;
use crate::tool::BoxFuture;

use super::record::Record;
use super::store::{Changes, Cursor, StoreError, Swap, TaskStore, Version};
use crate::model::concurrency::lock;

/// Changes that the feed reaches back. A reader that is further behind is told so.
const FEED: usize = 8192;

/// Removed tasks whose place in their owner's list is remembered, for readers in the middle of one.
const GONE: usize = 8192;

/// Keeps records in this process; a restart loses them.
///
/// Every operation but `changes` is done when its future is first polled. One lock guards all of it
/// and is never held across an await.
#[derive(Debug, Default)]
pub struct MemoryStore {
    tables: Mutex<Tables>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Tables {
    records: HashMap<TaskId, Slot>,
    /// Each owner's tasks by their place in the order of creation.
    owners: HashMap<Owner, BTreeMap<u64, TaskId>>,
    deadlines: BTreeSet<(Millis, TaskId)>,
    created: u64,
    gone: Gone,
    feed: Feed,
}

#[derive(Debug)]
struct Slot {
    record: Arc<Record>,
    place: u64,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn next_changes(&self, after: Cursor) -> Option<Changes> {
        lock(&self.tables).feed.after(after)
    }
}

impl TaskStore for MemoryStore {
    fn insert(&self, record: Arc<Record>) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move {
            lock(&self.tables).insert(record)?;
            self.changed.notify_waiters();
            Ok(())
        })
    }

    fn get<'a>(&'a self, id: &'a TaskId) -> BoxFuture<'a, Result<Option<Arc<Record>>, StoreError>> {
        let record = lock(&self.tables)
            .records
            .get(id)
            .map(|slot| Arc::clone(&slot.record));
        Box::pin(ready(Ok(record)))
    }

    fn swap(&self, expected: Version, new: Arc<Record>) -> BoxFuture<'_, Result<Swap, StoreError>> {
        Box::pin(async move {
            // The old version may hold much; it is freed after the lock is.
            let (swap, _old) = lock(&self.tables).swap(expected, &new);
            if matches!(swap, Swap::Done) {
                self.changed.notify_waiters();
            }
            Ok(swap)
        })
    }

    fn list<'a>(
        &'a self,
        owner: &'a Owner,
        after: Option<&'a TaskId>,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Arc<Record>>, StoreError>> {
        Box::pin(async move { Ok(lock(&self.tables).list(owner, after, limit)) })
    }

    fn take_expired(
        &self,
        now: Millis,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Arc<Record>>, StoreError>> {
        Box::pin(async move {
            let taken = lock(&self.tables).take_expired(now, limit);
            if !taken.is_empty() {
                self.changed.notify_waiters();
            }
            Ok(taken)
        })
    }

    fn next_deadline(&self) -> BoxFuture<'_, Result<Option<Millis>, StoreError>> {
        Box::pin(async move { Ok(lock(&self.tables).deadlines.first().map(|(at, _)| *at)) })
    }

    fn changes(&self, after: Cursor) -> BoxFuture<'_, Result<Changes, StoreError>> {
        Box::pin(async move {
            loop {
                // Made before the look, it hears of a change in between.
                let changed = self.changed.notified();
                if let Some(changes) = self.next_changes(after) {
                    return Ok(changes);
                }
                changed.await;
            }
        })
    }
}

impl Tables {
    fn insert(&mut self, record: Arc<Record>) -> Result<(), StoreError> {
        if self.records.contains_key(&record.id) {
            return Err(StoreError("the task id is taken".into()));
        }
        let place = self.created;
        self.created += 1;
        self.owners
            .entry(record.owner.clone())
            .or_default()
            .insert(place, record.id.clone());
        self.deadlines.insert((record.expires(), record.id.clone()));
        self.feed.push(record.id.clone());
        self.records
            .insert(record.id.clone(), Slot { record, place });
        Ok(())
    }

    fn swap(&mut self, expected: Version, new: &Arc<Record>) -> (Swap, Option<Arc<Record>>) {
        let Some(slot) = self.records.get_mut(&new.id) else {
            return (Swap::Gone, None);
        };
        if slot.record.version != expected {
            return (Swap::Conflict(Arc::clone(&slot.record)), None);
        }
        let old = std::mem::replace(&mut slot.record, Arc::clone(new));
        let (before, after) = (old.expires(), new.expires());
        if before != after {
            self.deadlines.remove(&(before, new.id.clone()));
            self.deadlines.insert((after, new.id.clone()));
        }
        self.feed.push(new.id.clone());
        (Swap::Done, Some(old))
    }

    fn list(&self, owner: &Owner, after: Option<&TaskId>, limit: usize) -> Vec<Arc<Record>> {
        let from = match after.map(|id| self.place(owner, id)) {
            None => Bound::Unbounded,
            Some(Some(place)) => Bound::Excluded(place),
            Some(None) => return Vec::new(),
        };
        let Some(tasks) = self.owners.get(owner) else {
            return Vec::new();
        };
        let ids = tasks.range((from, Bound::Unbounded)).take(limit);
        ids.filter_map(|(_, id)| self.records.get(id))
            .map(|slot| Arc::clone(&slot.record))
            .collect()
    }

    fn place(&self, owner: &Owner, id: &TaskId) -> Option<u64> {
        match self.records.get(id) {
            Some(slot) => (slot.record.owner == *owner).then_some(slot.place),
            None => self.gone.place(owner, id),
        }
    }

    fn take_expired(&mut self, now: Millis, limit: usize) -> Vec<Arc<Record>> {
        let mut taken = Vec::new();
        while taken.len() < limit && self.deadlines.first().is_some_and(|(at, _)| *at <= now) {
            if let Some((_, id)) = self.deadlines.pop_first() {
                taken.extend(self.remove(&id));
            }
        }
        taken
    }

    /// Takes a record out of every table but `deadlines`.
    fn remove(&mut self, id: &TaskId) -> Option<Arc<Record>> {
        let Slot { record, place } = self.records.remove(id)?;
        if let Some(tasks) = self.owners.get_mut(&record.owner) {
            tasks.remove(&place);
            if tasks.is_empty() {
                self.owners.remove(&record.owner);
            }
        }
        self.gone.push(id.clone(), record.owner.clone(), place);
        self.feed.push(id.clone());
        Some(record)
    }
}

/// Where the latest removed tasks stood.
#[derive(Debug, Default)]
struct Gone {
    order: VecDeque<TaskId>,
    places: HashMap<TaskId, (Owner, u64)>,
}

impl Gone {
    fn push(&mut self, id: TaskId, owner: Owner, place: u64) {
        if self.order.len() == GONE
            && let Some(oldest) = self.order.pop_front()
        {
            self.places.remove(&oldest);
        }
        self.places.insert(id.clone(), (owner, place));
        self.order.push_back(id);
    }

    fn place(&self, owner: &Owner, id: &TaskId) -> Option<u64> {
        self.places
            .get(id)
            .filter(|(whose, _)| whose == owner)
            .map(|(_, place)| *place)
    }
}

/// The latest changes; a cursor counts all there ever were.
#[derive(Debug, Default)]
struct Feed {
    latest: VecDeque<TaskId>,
    count: u64,
}

impl Feed {
    fn push(&mut self, id: TaskId) {
        if self.latest.len() == FEED {
            self.latest.pop_front();
        }
        self.latest.push_back(id);
        self.count += 1;
    }

    /// What came after the cursor; `None` if nothing did. A cursor beyond the end is another
    /// store's.
    fn after(&self, Cursor(after): Cursor) -> Option<Changes> {
        if after == self.count {
            return None;
        }
        let next = Cursor(self.count);
        let missing = self
            .count
            .checked_sub(after)
            .and_then(|missing| usize::try_from(missing).ok());
        match missing.and_then(|missing| self.latest.len().checked_sub(missing)) {
            Some(skip) => {
                let ids = self.latest.iter().skip(skip).cloned().collect();
                Some(Changes {
                    ids,
                    next,
                    lost: false,
                })
            }
            None => Some(Changes {
                ids: Vec::new(),
                next,
                lost: true,
            }),
        }
    }
}
