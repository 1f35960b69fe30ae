//! Companies.

use mcp_tasks::prelude::*;

use super::db::{Company, Db, Found, Id};

/// Add a company.
#[mcp_tool(name = "companies_add")]
pub(super) async fn add(
    #[arg(min_len = 1)] name: String,
    State(db): State<Db>,
    user: Principal,
) -> Result<String, ToolError> {
    let added = db.with(&user, |records| Ok(records.companies.add(Company { name })));
    Ok(format!("company {}", added.await?))
}

/// Get a company by number.
#[mcp_tool(name = "companies_get", read_only)]
pub(super) async fn get(
    company: Id,
    State(db): State<Db>,
    user: Principal,
) -> Result<Json<Company>, ToolError> {
    let found = db.with(&user, |records| Ok(records.companies.get(company)?.clone()));
    Ok(Json(found.await?))
}

/// Find companies whose name contains a text; all of them without one.
#[mcp_tool(name = "companies_search", read_only)]
pub(super) async fn search(
    #[arg(default = "")] text: String,
    State(db): State<Db>,
    user: Principal,
) -> Result<Json<Vec<Found<Company>>>, ToolError> {
    let found = db.with(&user, |records| {
        let companies = &records.companies;
        Ok(companies.find(|company| company.name.contains(&text)))
    });
    Ok(Json(found.await?))
}

/// Give a company another name.
#[mcp_tool(name = "companies_rename", idempotent)]
pub(super) async fn rename(
    company: Id,
    #[arg(min_len = 1)] name: String,
    State(db): State<Db>,
    user: Principal,
) -> Result<Json<Company>, ToolError> {
    let renamed = db.with(&user, |records| {
        let company = records.companies.get(company)?;
        company.name = name;
        Ok(company.clone())
    });
    Ok(Json(renamed.await?))
}

/// Remove a company that has no deals. Its people stay.
#[mcp_tool(name = "companies_remove", destructive)]
pub(super) async fn remove(
    company: Id,
    State(db): State<Db>,
    user: Principal,
) -> Result<String, ToolError> {
    let removed = db.with(&user, |records| {
        if records
            .deals
            .iter()
            .any(|(_, deal)| deal.company == company)
        {
            return Err("there are deals with it".into());
        }
        for contact in records.contacts.rows() {
            contact.company = contact.company.filter(|theirs| *theirs != company);
        }
        records.companies.remove(company)
    });
    Ok(format!("removed {}", removed.await?.name))
}
