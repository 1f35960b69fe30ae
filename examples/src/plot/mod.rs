//! A table, a summary of it, and a picture, in one result.
//!
//! Programs read the table (`structuredContent`, with its schema in the tool's definition), a model that does not gets
//! the summary, and people look at the picture. Shows `Json(table).text(summary)` and the pair `(Json<T>, Image)`.
//!
//! Run it: `cargo run -p examples --bin plot`.

mod chart;

use mcp_tasks::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

/// How often values occur.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Histogram {
    /// The smallest value
    pub min: f64,
    /// The largest value
    pub max: f64,
    /// The mean of all values
    pub mean: f64,
    /// Ranges of equal width, from the smallest value to the largest
    pub bins: Vec<Bin>,
}

/// A range and the values in it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Bin {
    /// Where the range begins
    pub from: f64,
    /// Where it ends
    pub to: f64,
    /// How many values are in it
    pub count: usize,
}

/// Draw a histogram of some numbers.
#[mcp_tool(read_only)]
async fn histogram(
    #[arg(min_items = 1, max_items = 100_000)] values: Vec<f64>,
    /// How many bars
    #[arg(default = 10, min = 1, max = 64)]
    bars: usize,
) -> Result<(Json<Histogram>, Image), ToolError> {
    let histogram = count(&values, bars);
    let counts: Vec<_> = histogram.bins.iter().map(|bin| bin.count).collect();
    let picture = Image::new(chart::png(&counts)?, "image/png");
    let summary = format!(
        "{} values from {} to {}, mean {:.3}; {} of them in the fullest of {bars} ranges",
        values.len(),
        histogram.min,
        histogram.max,
        histogram.mean,
        counts.iter().max().unwrap_or(&0),
    );
    Ok((Json(histogram).text(summary), picture))
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "there are at most 100,000 values and 64 ranges"
)]
fn count(values: &[f64], bars: usize) -> Histogram {
    let min = values.iter().copied().fold(f64::INFINITY, f64::min);
    let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let share = values.len() as f64;
    // Divided before they are added or taken apart, so that no sum of large values overflows.
    let width = max / bars as f64 - min / bars as f64;
    let edge = |at: usize| min + width * at as f64;
    let mut bins: Vec<_> = (0..bars)
        .map(|at| Bin {
            from: edge(at),
            to: edge(at + 1),
            count: 0,
        })
        .collect();
    for value in values {
        // The largest value belongs to the last range; where all are equal, `width` is 0 and the quotient no number.
        let at = (value / width - min / width) as usize;
        bins[at.min(bars - 1)].count += 1;
    }
    Histogram {
        min,
        max,
        mean: values.iter().map(|value| value / share).sum(),
        bins,
    }
}

/// A server that draws.
pub fn server() -> Server {
    Server::new("plot").tools(tools![histogram])
}
