//! What there is to remember about people.

use mcp_tasks::prelude::*;

use super::db::{Db, Found, Id, Note};

/// Note something about a person.
#[mcp_tool(name = "notes_add")]
pub(super) async fn add(
    contact: Id,
    #[arg(min_len = 1, max_len = 10_000)] text: String,
    State(db): State<Db>,
    user: Principal,
) -> Result<String, ToolError> {
    let added = db.with(&user, |records| {
        records.contacts.get(contact)?;
        Ok(records.notes.add(Note { contact, text }))
    });
    Ok(format!("note {}", added.await?))
}

/// List the notes about a person.
#[mcp_tool(name = "notes_list", read_only)]
pub(super) async fn list(
    contact: Id,
    State(db): State<Db>,
    user: Principal,
) -> Result<Json<Vec<Found<Note>>>, ToolError> {
    let found = db.with(&user, |records| {
        records.contacts.get(contact)?;
        Ok(records.notes.find(|note| note.contact == contact))
    });
    Ok(Json(found.await?))
}

/// Remove a note.
#[mcp_tool(name = "notes_remove", destructive)]
pub(super) async fn remove(
    note: Id,
    State(db): State<Db>,
    user: Principal,
) -> Result<String, ToolError> {
    db.with(&user, |records| records.notes.remove(note)).await?;
    Ok(format!("removed note {note}"))
}
