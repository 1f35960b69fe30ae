//! Tools that ask the user.

use mcp_tasks::Tools;
use mcp_tasks::prelude::*;

pub(crate) fn tools() -> Tools {
    tools![deploy, book_table]
}

/// Deploys to an environment, after asking
#[mcp_tool(task)]
async fn deploy(
    /// Target environment
    env: String,
    ctx: Context,
) -> Result<String, ToolError> {
    let told = if ctx.confirm(format!("Deploy to {env}?")).await? {
        format!("deployed to {env}")
    } else {
        format!("not deployed to {env}")
    };
    Ok(told)
}

#[derive(ElicitForm)]
struct Booking {
    /// Whom the table is for
    #[form(min_len = 1)]
    name: String,
    /// How many people
    #[form(min = 1, max = 12, default = 2)]
    guests: u8,
    #[form(default = Area::Garden)]
    area: Area,
    /// Needs a high chair
    high_chair: bool,
}

#[derive(Debug, ElicitForm)]
enum Area {
    Garden,
    Hall,
}

/// Books a table, after asking for the particulars
#[mcp_tool(task)]
async fn book_table(
    /// The day, as in 2026-07-28
    day: String,
    ctx: Context,
) -> Result<String, ToolError> {
    let answer = ctx.elicit::<Booking>("Who comes?").await?;
    let Some(booking) = answer.accepted() else {
        return Ok("no table booked".into());
    };
    let Booking {
        name,
        guests,
        area,
        high_chair,
    } = booking;
    let chair = if high_chair { ", high chair" } else { "" };
    Ok(format!("{day}: {name}, {guests} in {area:?}{chair}"))
}
