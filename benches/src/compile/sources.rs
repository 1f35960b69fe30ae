//! The crates that are compiled: the same tools in three ways.

use std::fmt::Write as _;
use std::path::Path;

/// How the tools of a crate are written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Way {
    /// `#[mcp_tool]` and `tools![]`.
    McpTasks,
    /// A struct of arguments for each tool, with the derives of serde and schemars, and a handler
    /// written by hand.
    Derive,
    /// The macros of rmcp, with a struct of arguments for each tool.
    Rmcp,
}

impl Way {
    pub(super) const ALL: [Self; 3] = [Self::McpTasks, Self::Derive, Self::Rmcp];

    pub(super) fn title(self) -> &'static str {
        match self {
            Self::McpTasks => "mcp-tasks",
            Self::Derive => "derive by hand",
            Self::Rmcp => "rmcp 3.11.0",
        }
    }

    /// The package of a crate with `size` tools.
    pub(super) fn package(self, size: usize) -> String {
        let way = match self {
            Self::McpTasks => "mcp-tasks",
            Self::Derive => "derive",
            Self::Rmcp => "rmcp",
        };
        format!("{way}-{size}")
    }

    pub(super) fn manifest(self, size: usize, runtime: &Path) -> String {
        let dependencies = match self {
            Self::McpTasks => format!("mcp-tasks = {{ path = \"{}\" }}\n", runtime.display()),
            Self::Derive => String::from(
                "schemars = \"=1.2.3\"\nserde = { version = \"=1.0.229\", features = [\"derive\"] }\n\
                 serde_json = \"=1.0.154\"\n",
            ),
            Self::Rmcp => String::from(
                "rmcp = \"=3.11.0\"\nschemars = \"=1.2.3\"\n\
                 serde = { version = \"=1.0.229\", features = [\"derive\"] }\n",
            ),
        };
        format!(
            "[package]\nname = \"{}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{dependencies}",
            self.package(size)
        )
    }

    /// The library with tools `t0`, `t1` and so on.
    pub(super) fn library(self, size: usize) -> String {
        let mut text = String::from(match self {
            Self::McpTasks => "use mcp_tasks::prelude::*;\n",
            Self::Derive => DERIVE_HEAD,
            Self::Rmcp => RMCP_HEAD,
        });
        let tool: fn(usize) -> String = match self {
            Self::McpTasks => mcp_tasks_tool,
            Self::Derive => derive_tool,
            Self::Rmcp => arguments,
        };
        text.extend((0..size).map(tool));
        text.push_str(&match self {
            Self::McpTasks => mcp_tasks_list(size),
            Self::Derive => derive_list(size),
            Self::Rmcp => rmcp_router(size),
        });
        text
    }
}

/// Five parameters as the fields or parameters that they are, each on a line that starts with `prefix`.
fn parameters(prefix: &str) -> String {
    let mut text = String::new();
    for (doc, parameter) in [
        ("What to look for", "query: String"),
        ("How many to give", "limit: Option<u32>"),
        ("Only those with one of these", "tags: Vec<String>"),
        ("Only whole words", "exact: bool"),
        ("How good a match must be", "score: f64"),
    ] {
        let _ = writeln!(text, "    /// {doc}\n    {prefix}{parameter},");
    }
    text
}

const RESULT: &str = "Ok(format!(\"{query} {limit:?} {tags:?} {exact} {score}\"))";
const FIELDS: &str = "query, limit, tags, exact, score";

fn mcp_tasks_tool(index: usize) -> String {
    format!(
        "\n/// Search number {index}.\n#[mcp_tool]\npub async fn t{index}(\n{}) -> Result<String, ToolError> {{\n    {RESULT}\n}}\n",
        parameters("")
    )
}

fn mcp_tasks_list(size: usize) -> String {
    let names: Vec<String> = (0..size).map(|index| format!("t{index}")).collect();
    let names = names.join(", ");
    format!("\npub fn all() -> mcp_tasks::Tools {{\n    tools![{names}]\n}}\n")
}

fn arguments(index: usize) -> String {
    format!(
        "\n#[derive(Deserialize, JsonSchema)]\npub struct Arguments{index} {{\n{}}}\n",
        parameters("pub ")
    )
}

const DERIVE_HEAD: &str = "use std::error::Error;
use std::pin::Pin;

use schemars::{JsonSchema, Schema, schema_for};
use serde::Deserialize;
use serde_json::Value;

pub type Failure = Box<dyn Error + Send + Sync>;
pub type Outcome = Pin<Box<dyn Future<Output = Result<String, Failure>> + Send>>;

pub struct Tool {
    pub name: &'static str,
    pub description: &'static str,
    pub schema: fn() -> Schema,
    pub call: fn(Value) -> Outcome,
}
";

fn derive_tool(index: usize) -> String {
    format!(
        "{}\npub async fn t{index}(arguments: Arguments{index}) -> Result<String, Failure> {{\n    \
         let Arguments{index} {{ {FIELDS} }} = arguments;\n    {RESULT}\n}}\n",
        arguments(index)
    )
}

fn derive_list(size: usize) -> String {
    let mut text = String::from("\npub static ALL: &[Tool] = &[\n");
    for index in 0..size {
        let _ = write!(
            text,
            "    Tool {{\n        name: \"t{index}\",\n        description: \"Search number {index}.\",\n        \
             schema: || schema_for!(Arguments{index}),\n        \
             call: |value| Box::pin(async move {{ t{index}(serde_json::from_value(value)?).await }}),\n    }},\n"
        );
    }
    text + "];\n"
}

const RMCP_HEAD: &str = "use rmcp::handler::server::wrapper::Parameters;
use rmcp::{ServerHandler, tool, tool_handler, tool_router};
use schemars::JsonSchema;
use serde::Deserialize;
";

fn rmcp_router(size: usize) -> String {
    let mut text =
        String::from("\n#[derive(Clone)]\npub struct Tools;\n\n#[tool_router]\nimpl Tools {\n");
    for index in 0..size {
        let _ = write!(
            text,
            "    /// Search number {index}.\n    #[tool]\n    pub async fn t{index}(&self, Parameters(arguments): Parameters<Arguments{index}>) -> Result<String, String> {{\n        \
             let Arguments{index} {{ {FIELDS} }} = arguments;\n        {RESULT}\n    }}\n"
        );
    }
    text + "}\n\n#[tool_handler]\nimpl ServerHandler for Tools {}\n"
}
