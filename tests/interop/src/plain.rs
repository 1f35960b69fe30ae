//! Tools that are no tasks.

use mcp_tasks::Tools;
use mcp_tasks::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

pub(crate) fn tools() -> Tools {
    tools![greet, statistics, divide]
}

/// Greets
#[mcp_tool(read_only)]
async fn greet(
    /// Whom to greet
    name: String,
) -> String {
    format!("Hello, {name}!")
}

#[derive(Serialize, JsonSchema)]
struct Statistics {
    /// How many numbers
    count: usize,
    /// What they are together
    sum: f64,
}

/// Counts and adds numbers
#[mcp_tool(read_only)]
async fn statistics(
    /// At least one
    #[arg(min_items = 1)]
    numbers: Vec<f64>,
) -> Json<Statistics> {
    Json(Statistics {
        count: numbers.len(),
        sum: numbers.iter().sum(),
    })
}

/// Divides one number by another
#[mcp_tool(read_only)]
async fn divide(dividend: i64, divisor: i64) -> Result<String, ToolError> {
    let quotient = dividend.checked_div(divisor).ok_or("division by zero")?;
    Ok(quotient.to_string())
}
