//! A form with every kind of field.
//!
//! `#[derive(ElicitForm)]` makes the form that the client shows from a flat struct, and reads the answer back into it: a
//! choice, a list of choices, texts and numbers with bounds, defaults, and fields that may be left out. An answer that does
//! not fit never reaches the function as if it did: clients of 2026-07-28 are asked again, older ones give
//! `AskError::Invalid`, upon which this tool asks once more. Lists of choices came with 2025-11-25; where the client is
//! older still, the question fails with `AskError::Inexpressible`, and the call with it.
//!
//! Run it: `cargo run -p examples --bin forms`.

use mcp_tasks::prelude::*;

/// What the user fills in.
#[derive(Debug, ElicitForm)]
struct Order {
    /// How large
    #[form(default = Size::Medium)]
    size: Size,
    /// What goes on it
    #[form(max_items = 3, default = vec![Topping::Cheese])]
    toppings: Vec<Topping>,
    #[form(title = "How many", min = 1, max = 10, default = 1)]
    count: u8,
    /// Where we say that it is ready
    #[form(format = "email")]
    email: String,
    /// What the cook should know
    #[form(max_len = 200)]
    note: Option<String>,
    /// Put it into a box
    #[form(default)]
    to_go: bool,
}

/// A size.
#[derive(Clone, Copy, Debug, ElicitForm)]
enum Size {
    #[form(title = "Small, 24 cm")]
    Small,
    #[form(title = "Medium, 28 cm")]
    Medium,
    #[form(title = "Large, 32 cm")]
    Large,
}

/// A topping.
#[derive(Clone, Copy, Debug, ElicitForm)]
enum Topping {
    Cheese,
    Olives,
    Mushrooms,
    #[form(title = "Chilli (hot)")]
    Chilli,
}

/// Take an order for pizza.
#[mcp_tool(task)]
async fn order(ctx: Context) -> Result<String, ToolError> {
    let answer = match ctx.elicit::<Order>("What shall it be?").await {
        Err(AskError::Invalid(why)) => {
            let message = format!("That did not fit ({why}). Once more?");
            ctx.elicit(message).await?
        }
        answer => answer?,
    };
    Ok(match answer {
        Answer::Accepted(order) => receipt(&order),
        Answer::Declined => "nothing ordered".into(),
        Answer::Dismissed => "no answer; ask again later".into(),
    })
}

fn receipt(order: &Order) -> String {
    let Order {
        size,
        toppings,
        count,
        email,
        note,
        to_go,
    } = order;
    let place = if *to_go { "to go" } else { "for here" };
    let note = note.as_deref().unwrap_or("none");
    format!("{count} x {size:?} with {toppings:?}, {place}; note: {note}; to {email}")
}

/// A server that takes orders.
pub fn server() -> Server {
    Server::new("pizzeria").tools(tools![order])
}
