//! Attributes around the macro's own, types spelt in odd ways, defaults of every kind of expression.

#![deny(warnings)]

use std::collections::HashMap;

use mcp_tasks::prelude::*;

/// Stands among other attributes.
#[inline]
#[mcp_tool]
#[must_use]
pub async fn among(mut sum: u8, _unused: u8, r#type: u8) -> u8 {
    sum += r#type;
    sum
}

macro_rules! wrapped {
    ($inner:ty) => { Option<$inner> };
}

trait Associated {
    type Number;
}

impl Associated for u8 {
    type Number = u16;
}

/// Takes types by macro, path and association.
#[mcp_tool]
async fn spelt(
    by_macro: wrapped!(u8),
    by_path: ::std::string::String,
    nested: std::vec::Vec<Vec<Option<u8>>>,
    by_length: HashMap<String, [u8; 1 + 1]>,
    associated: <u8 as Associated>::Number,
) -> String {
    format!("{by_macro:?}{by_path}{nested:?}{by_length:?}{associated}")
}

struct Pair {
    left: u8,
    right: u8,
}

impl mcp_tasks::FromContext for Pair {
    fn from_context(_: &Context) -> Result<Self, ToolError> {
        Ok(Self { left: 1, right: 2 })
    }
}

/// Takes a context twice, not first, and takes injected values apart.
#[mcp_tool(task(begin = "manual"),)]
async fn injected(
    one: Context,
    number: u8,
    two: Context,
    State(state): State<u8>,
    Pair { left, right }: Pair,
) -> u8 {
    drop((one, two));
    number + state + left + right
}

const TITLE: &str = "Of constants";
const RUNS: usize = 3;
const NEGATIVE: i64 = -7;

#[doc = include_str!("odd_positions.rs")]
#[mcp_tool(description = concat!("a", "b"), title = TITLE, max_running = RUNS)]
async fn constants(
    #[arg(default = -5)] negative: i8,
    #[arg(default = NEGATIVE)] constant: i64,
    #[arg(default = 0xFF_u8)] hexadecimal: u8,
    #[arg(default = b'a')] byte: u8,
    #[arg(default = 'x')] letter: char,
    #[arg(default = -0.5)] float: f32,
    #[arg(default = [1, 2])] array: [u8; 2],
    #[arg(default = vec![1])] by_macro: Vec<u8>,
    #[arg(default = None)] nothing: Option<String>,
    #[arg(default = Some("a".into()))] something: Option<String>,
    #[arg(default = (|| 3)())] closure: u8,
    #[arg(default = if cfg!(unix) { 1 } else { 2 })] branch: u8,
    #[arg(default = std::env::var("NEVER").unwrap_or_default())] call: String,
) -> String {
    format!("{negative}{constant}{hexadecimal}{byte}{letter}{float}{array:?}{by_macro:?}")
        + &format!("{nothing:?}{something:?}{closure}{branch}{call}")
}

fn generic<T: Clone + Send + Sync + 'static>(state: T) -> Server {
    /// Lives in a generic function.
    #[mcp_tool]
    async fn inside(number: u8) -> u8 {
        number
    }
    Server::new("odd")
        .tools(tools![inside, among, self::spelt, crate::injected, constants,])
        .state(state)
}

fn main() {
    let _ = tools![];
    generic(1_u8).check().expect("a server");
}
