//! People.

use mcp_tasks::prelude::*;
use serde::Deserialize;

use super::db::{Contact, Db, Found, Id};

/// Add a person.
#[mcp_tool(name = "contacts_add")]
pub(super) async fn add(
    #[arg(min_len = 1)] name: String,
    email: Option<String>,
    /// The number of their company
    company: Option<Id>,
    State(db): State<Db>,
    user: Principal,
) -> Result<String, ToolError> {
    let contact = Contact {
        name,
        email,
        company,
    };
    let added = db.with(&user, |records| {
        if let Some(company) = company {
            records.companies.get(company)?;
        }
        Ok(records.contacts.add(contact))
    });
    Ok(format!("contact {}", added.await?))
}

/// Get a person by number.
#[mcp_tool(name = "contacts_get", read_only)]
pub(super) async fn get(
    contact: Id,
    State(db): State<Db>,
    user: Principal,
) -> Result<Json<Contact>, ToolError> {
    let found = db.with(&user, |records| Ok(records.contacts.get(contact)?.clone()));
    Ok(Json(found.await?))
}

/// Find people whose name contains a text; all of them without one.
#[mcp_tool(name = "contacts_search", read_only)]
pub(super) async fn search(
    #[arg(default = "")] text: String,
    State(db): State<Db>,
    user: Principal,
) -> Result<Json<Vec<Found<Contact>>>, ToolError> {
    let found = db.with(&user, |records| {
        let contacts = &records.contacts;
        Ok(contacts.find(|contact| contact.name.contains(&text)))
    });
    Ok(Json(found.await?))
}

/// Change a person's name, address or company. What is left out stays as it is.
#[mcp_tool(name = "contacts_update", idempotent)]
pub(super) async fn update(
    contact: Id,
    name: Option<String>,
    email: Option<String>,
    company: Option<Id>,
    State(db): State<Db>,
    user: Principal,
) -> Result<Json<Contact>, ToolError> {
    let updated = db.with(&user, |records| {
        if let Some(company) = company {
            records.companies.get(company)?;
        }
        let contact = records.contacts.get(contact)?;
        contact.name = name.unwrap_or_else(|| contact.name.clone());
        contact.email = email.or_else(|| contact.email.take());
        contact.company = company.or(contact.company);
        Ok(contact.clone())
    });
    Ok(Json(updated.await?))
}

/// Remove a person and the notes about them.
#[mcp_tool(name = "contacts_remove", destructive)]
pub(super) async fn remove(
    contact: Id,
    State(db): State<Db>,
    user: Principal,
) -> Result<String, ToolError> {
    let removed = db.with(&user, |records| {
        let removed = records.contacts.remove(contact)?;
        records.notes.retain(|note| note.contact != contact);
        Ok(removed)
    });
    Ok(format!("removed {}", removed.await?.name))
}

/// A person to be imported.
#[derive(Deserialize, schemars::JsonSchema)]
pub(super) struct Row {
    name: String,
    email: Option<String>,
}

/// Import people, one after the other, as an address book elsewhere lets us.
#[mcp_tool(name = "contacts_import", task)]
pub(super) async fn import(
    #[arg(min_items = 1, max_items = 1_000)] people: Vec<Row>,
    State(db): State<Db>,
    user: Principal,
    ctx: Context,
) -> Result<String, ToolError> {
    let all = people.len();
    for (done, Row { name, email }) in people.into_iter().enumerate() {
        ctx.progress(done, all, &name);
        tokio::time::sleep(Duration::from_millis(200)).await;
        let contact = Contact {
            name,
            email,
            company: None,
        };
        db.with(&user, |records| Ok(records.contacts.add(contact)))
            .await?;
    }
    Ok(format!("imported {all}"))
}
