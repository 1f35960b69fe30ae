//! Records by owner, behind a pool of connections: what a database would be in a server that keeps anything.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use mcp_tasks::{Principal, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

/// The number of a record among those of its owner.
pub(super) type Id = u32;

/// Connections in the pool.
const CONNECTIONS: usize = 8;

/// The pool. Cheap to clone; every clone is the same pool.
#[derive(Clone, Debug)]
pub struct Db {
    connections: Arc<Semaphore>,
    records: Arc<Mutex<HashMap<Principal, Records>>>,
}

impl Default for Db {
    fn default() -> Self {
        Self {
            connections: Arc::new(Semaphore::new(CONNECTIONS)),
            records: Arc::default(),
        }
    }
}

impl Db {
    /// Waits for a connection and does `work` on the records of `owner`. There is no way to anybody else's.
    pub(super) async fn with<T>(
        &self,
        owner: &Principal,
        work: impl FnOnce(&mut Records) -> Result<T, ToolError>,
    ) -> Result<T, ToolError> {
        let _connection = self.connections.acquire().await?;
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        work(records.entry(owner.clone()).or_default())
    }
}

/// What one user has.
#[derive(Debug, Default)]
pub(super) struct Records {
    pub(super) contacts: Table<Contact>,
    pub(super) companies: Table<Company>,
    pub(super) deals: Table<Deal>,
    pub(super) notes: Table<Note>,
}

/// Records by number.
#[derive(Debug)]
pub(super) struct Table<T> {
    kind: &'static str,
    rows: BTreeMap<Id, T>,
    last: Id,
}

impl<T: Kind> Default for Table<T> {
    fn default() -> Self {
        Self {
            kind: T::NAME,
            rows: BTreeMap::new(),
            last: 0,
        }
    }
}

impl<T> Table<T> {
    pub(super) fn add(&mut self, row: T) -> Id {
        self.last += 1;
        self.rows.insert(self.last, row);
        self.last
    }

    pub(super) fn get(&mut self, id: Id) -> Result<&mut T, ToolError> {
        let kind = self.kind;
        let row = self.rows.get_mut(&id);
        Ok(row.ok_or_else(|| format!("there is no {kind} {id}"))?)
    }

    pub(super) fn remove(&mut self, id: Id) -> Result<T, ToolError> {
        let kind = self.kind;
        let row = self.rows.remove(&id);
        Ok(row.ok_or_else(|| format!("there is no {kind} {id}"))?)
    }

    pub(super) fn retain(&mut self, keep: impl Fn(&T) -> bool) {
        self.rows.retain(|_, row| keep(row));
    }

    pub(super) fn rows(&mut self) -> impl Iterator<Item = &mut T> {
        self.rows.values_mut()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Id, &T)> {
        self.rows.iter().map(|(id, row)| (*id, row))
    }
}

impl<T: Clone> Table<T> {
    /// The records that `wanted` takes, with their numbers.
    pub(super) fn find(&self, wanted: impl Fn(&T) -> bool) -> Vec<Found<T>> {
        let rows = self.iter().filter(|(_, row)| wanted(row));
        rows.map(|(id, row)| Found {
            id,
            record: row.clone(),
        })
        .collect()
    }
}

/// A record and its number.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct Found<T> {
    /// The record's number
    pub(super) id: Id,
    #[serde(flatten)]
    pub(super) record: T,
}

/// What a kind of record is called.
pub(super) trait Kind {
    const NAME: &'static str;
}

macro_rules! kinds {
    ($($record:ty: $name:literal),*) => {$(
        impl Kind for $record {
            const NAME: &'static str = $name;
        }
    )*};
}

kinds!(Contact: "contact", Company: "company", Deal: "deal", Note: "note");

/// A person.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct Contact {
    pub(super) name: String,
    pub(super) email: Option<String>,
    /// The number of their company
    pub(super) company: Option<Id>,
}

/// A company.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct Company {
    pub(super) name: String,
}

/// Something that may be sold.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct Deal {
    pub(super) title: String,
    /// The number of the company
    pub(super) company: Id,
    /// What it is worth, in whole euros
    pub(super) euros: u64,
    pub(super) stage: Stage,
}

/// How far a deal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Stage {
    Lead,
    Offer,
    Won,
    Lost,
}

/// Something to remember about a contact.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct Note {
    /// The number of the contact
    pub(super) contact: Id,
    pub(super) text: String,
}
