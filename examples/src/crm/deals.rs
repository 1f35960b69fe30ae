//! Deals with companies.

use mcp_tasks::prelude::*;

use super::db::{Db, Deal, Found, Id, Stage};

/// Open a deal with a company.
#[mcp_tool(name = "deals_open")]
pub(super) async fn open(
    company: Id,
    #[arg(min_len = 1)] title: String,
    /// What it is worth, in whole euros
    euros: u64,
    State(db): State<Db>,
    user: Principal,
) -> Result<String, ToolError> {
    let opened = db.with(&user, |records| {
        records.companies.get(company)?;
        Ok(records.deals.add(Deal {
            title,
            company,
            euros,
            stage: Stage::Lead,
        }))
    });
    Ok(format!("deal {}", opened.await?))
}

/// Get a deal by number.
#[mcp_tool(name = "deals_get", read_only)]
pub(super) async fn get(
    deal: Id,
    State(db): State<Db>,
    user: Principal,
) -> Result<Json<Deal>, ToolError> {
    let found = db.with(&user, |records| Ok(records.deals.get(deal)?.clone()));
    Ok(Json(found.await?))
}

/// List deals, all of them or those at one stage.
#[mcp_tool(name = "deals_list", read_only)]
pub(super) async fn list(
    stage: Option<Stage>,
    State(db): State<Db>,
    user: Principal,
) -> Result<Json<Vec<Found<Deal>>>, ToolError> {
    let found = db.with(&user, |records| {
        let deals = &records.deals;
        Ok(deals.find(|deal| stage.is_none_or(|stage| deal.stage == stage)))
    });
    Ok(Json(found.await?))
}

/// Move a lead on to an offer.
#[mcp_tool(name = "deals_advance")]
pub(super) async fn advance(
    deal: Id,
    State(db): State<Db>,
    user: Principal,
) -> Result<Json<Deal>, ToolError> {
    let moved = db.with(&user, |records| {
        let deal = records.deals.get(deal)?;
        if deal.stage != Stage::Lead {
            return Err("it is no lead any more".into());
        }
        deal.stage = Stage::Offer;
        Ok(deal.clone())
    });
    Ok(Json(moved.await?))
}

/// Close a deal.
#[mcp_tool(name = "deals_close", idempotent)]
pub(super) async fn close(
    deal: Id,
    /// Whether it was won
    won: bool,
    State(db): State<Db>,
    user: Principal,
) -> Result<Json<Deal>, ToolError> {
    let closed = db.with(&user, |records| {
        let deal = records.deals.get(deal)?;
        deal.stage = if won { Stage::Won } else { Stage::Lost };
        Ok(deal.clone())
    });
    Ok(Json(closed.await?))
}

/// Say what the open deals will bring, in whole euros.
#[mcp_tool(name = "deals_forecast", read_only)]
pub(super) async fn forecast(State(db): State<Db>, user: Principal) -> Result<u64, ToolError> {
    db.with(&user, |records| {
        let percent = |stage| match stage {
            Stage::Lead => 20,
            Stage::Offer => 50,
            Stage::Won | Stage::Lost => 0,
        };
        let deals = records.deals.iter();
        Ok(deals.fold(0_u64, |sum, (_, deal)| {
            sum.saturating_add(deal.euros.saturating_mul(percent(deal.stage)) / 100)
        }))
    })
    .await
}
