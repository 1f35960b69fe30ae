//! Where records live: the trait that any store implements.

use std::fmt;
use std::sync::Arc;

use crate::model::clock::Millis;
use crate::model::principal::Owner;
use crate::model::task::TaskId;
use crate::tool::BoxFuture;

use super::record::Record;

/// Counts a record's versions.
pub type Version = u64;

/// A place in a store's feed of changes; the default is before the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor(pub u64);

/// What changed since a cursor, removals included.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Tasks that were added, moved or removed, each at least once.
    pub ids: Vec<TaskId>,
    /// Where to go on from.
    pub next: Cursor,
    /// The feed does not reach back to the cursor: anything may have changed.
    pub lost: bool,
}

/// How a compare-and-swap went.
#[derive(Clone, Debug)]
pub enum Swap {
    /// The new version is in.
    Done,
    /// Another version came first: this one.
    Conflict(Arc<Record>),
    /// There is no such record any more.
    Gone,
}

/// A store could not do what it was asked.
#[derive(Debug)]
pub struct StoreError(pub Box<dyn std::error::Error + Send + Sync>);

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "task store: {}", self.0)
    }
}

impl std::error::Error for StoreError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        // `Display` has said the cause itself; what is behind it follows.
        self.0.source()
    }
}

/// Keeps task records.
///
/// A record never changes in place: whoever has an event makes the next version with `apply` and
/// swaps it in. Several processes may share one store, so that nothing above it assumes to be
/// alone: what one of them changes, all of them learn from [`changes`](Self::changes).
///
/// Every method is required. Every future may be dropped at any await, and what it was about has
/// then happened whole or not at all. No method may take time that grows with the number of tasks;
/// [`list`](Self::list) and [`take_expired`](Self::take_expired) may take time that grows with
/// their `limit`.
///
/// `task::contract::store_contract` tells whether a store keeps all of this.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot keep tasks",
    label = "does not implement `TaskStore`",
    note = "implement `TaskStore` for `{Self}`, and run `task::contract::store_contract` on it"
)]
pub trait TaskStore: Send + Sync + 'static {
    /// Adds a record; an error if its id is taken.
    fn insert(&self, record: Arc<Record>) -> BoxFuture<'_, Result<(), StoreError>>;

    /// The latest version, whoever owns it, even if its time is up.
    fn get<'a>(&'a self, id: &'a TaskId) -> BoxFuture<'a, Result<Option<Arc<Record>>, StoreError>>;

    /// Puts `new` in place of version `expected` of the same id; of several that expect one
    /// version, one wins.
    fn swap(&self, expected: Version, new: Arc<Record>) -> BoxFuture<'_, Result<Swap, StoreError>>;

    /// An owner's tasks in order of creation, those after `after`, at most `limit`.
    ///
    /// `after` may name a task of this owner that was removed a while ago: the list goes on where
    /// that one stood. An id that the store does not remember, or of another owner, has nothing
    /// after it.
    fn list<'a>(
        &'a self,
        owner: &'a Owner,
        after: Option<&'a TaskId>,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Arc<Record>>, StoreError>>;

    /// Removes records that expire at `now` or before, the earliest first, at most `limit`. Each is
    /// returned exactly once, in its last version, whoever asks and however often.
    fn take_expired(
        &self,
        now: Millis,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Arc<Record>>, StoreError>>;

    /// The earliest [`Record::expires`] of all records.
    fn next_deadline(&self) -> BoxFuture<'_, Result<Option<Millis>, StoreError>>;

    /// What changed after `after`, as soon as there is anything. A change is in the feed when the
    /// method that made it returns, and reading the feed does not take anything out of it.
    fn changes(&self, after: Cursor) -> BoxFuture<'_, Result<Changes, StoreError>>;
}
