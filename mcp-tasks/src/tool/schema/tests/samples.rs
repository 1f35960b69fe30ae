//! Types of parameters.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A point in space.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(in crate::tool) struct Inner {
    /// Left to right
    x: i32,
    /// Comment
    note: Option<String>,
    any: Value,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(in crate::tool) enum Plain {
    FirstOne,
    #[serde(alias = "deux")]
    Second,
}

/// How loud.
#[derive(Serialize, Deserialize, JsonSchema, PartialEq, Eq, Hash)]
pub(in crate::tool) enum Documented {
    /// Not at all
    #[serde(rename = "quiet")]
    Quiet,
    Normal,
    /// Very
    Loud,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(in crate::tool) enum WithData {
    Unit,
    Number(i32),
    Named { a: Option<u8> },
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(in crate::tool) struct Node {
    name: String,
    children: Vec<Node>,
    next: Option<Box<Node>>,
}
