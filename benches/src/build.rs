//! What a server of one tool over standard input and output costs to build, and how large it is.
//!
//! Each is a crate of its own, as the front page of its library has it.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::children;
use crate::contest;
use crate::report::{Goal, Section, number};

/// Versions of everything that the crates depend on, and of more.
const LOCK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/servers/Cargo.lock");

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Library {
    McpTasks,
    Rmcp,
}

impl Library {
    const ALL: [Self; 2] = [Self::McpTasks, Self::Rmcp];

    fn name(self) -> &'static str {
        match self {
            Self::McpTasks => "mcp-tasks",
            Self::Rmcp => "rmcp",
        }
    }

    fn dependencies(self, root: &Path) -> String {
        match self {
            Self::McpTasks => format!(
                "mcp-tasks = {{ path = \"{}\" }}\n",
                root.join("mcp-tasks").display()
            ),
            Self::Rmcp => String::from(
                "rmcp = { version = \"=3.11.0\", features = [\"transport-io\"] }\n\
                 schemars = \"1\"\nserde = { version = \"1\", features = [\"derive\"] }\n",
            ),
        }
    }

    fn program(self) -> String {
        match self {
            Self::McpTasks => server("", "hello"),
            Self::Rmcp => RMCP.to_owned(),
        }
    }
}

pub(crate) fn run(samples: usize) -> io::Result<Section> {
    let [own, other] = [
        Project::write(Library::McpTasks)?,
        Project::write(Library::Rmcp)?,
    ];
    let project = |library| match library {
        Library::McpTasks => &own,
        Library::Rmcp => &other,
    };
    let seconds = contest::medians(samples, &Library::ALL, |library| project(library).build())?;
    let packages = Library::ALL.map(|library| project(library).packages());
    let [own_packages, other_packages] = packages;
    let [own_packages, other_packages] = [own_packages?, other_packages?];
    let [own_size, other_size] = [own.size()?, other.size()?];
    let [own_seconds, other_seconds] = Library::ALL.map(|library| seconds[&library]);
    let mut larger = String::new();
    for (title, tool) in LARGER {
        let size = own.size_with(&server(tool, "hello, goodbye"))?;
        let _ = writeln!(larger, "| {title} | | | {} |", number(size / 1024.0));
    }
    let body = format!(
        "A server of one tool over stdio, with the library's default features and what stdio needs, as a crate of its own: CPU seconds \
         of a clean `cargo build --release`, the median of {samples}, packages in its `Cargo.lock`, and the program, stripped. What a second tool brings along that asks, or that is a task, is in \
         the programs that have such a tool.\n\n\
         | library | CPU seconds | packages | KiB |\n|---|---|---|---|\n\
         | mcp-tasks | {} | {own_packages} | {} |\n{larger}| rmcp | {} | {other_packages} | {} |\n",
        number(own_seconds),
        number(own_size / 1024.0),
        number(other_seconds),
        number(other_size / 1024.0),
    );
    let goals = vec![
        Goal::at_most(
            0.5,
            "CPU time of a clean release build, of rmcp's",
            own_seconds / other_seconds,
        ),
        Goal::at_most(45.0, "packages in Cargo.lock", own_packages),
        Goal::at_most(0.5, "stripped program, of rmcp's", own_size / other_size),
    ];
    Ok(Section::new(
        "Build and size of a small server",
        body,
        goals,
    ))
}

/// A crate in a folder of its own.
struct Project(PathBuf);

impl Project {
    /// Writes it, and fetches what it depends on.
    fn write(library: Library) -> io::Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("..")
            .canonicalize()?;
        let folder = root.join("target/benches/build").join(library.name());
        fs::create_dir_all(folder.join("src"))?;
        let manifest = format!(
            "[workspace]\n\n[package]\nname = \"server\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\n{}tokio = {{ version = \"1\", features = [\"macros\", \"rt-multi-thread\"] }}\n\n\
             [profile.release]\nstrip = true\n",
            library.dependencies(&root)
        );
        fs::write(folder.join("Cargo.toml"), manifest)?;
        fs::write(folder.join("src/main.rs"), library.program())?;
        fs::copy(LOCK, folder.join("Cargo.lock"))?;
        let project = Self(folder);
        // What it does not use goes from the lock file.
        project.cargo(&["update", "--workspace", "--offline", "--quiet"])?;
        project.cargo(&["fetch", "--locked", "--quiet"])?;
        Ok(project)
    }

    /// Builds it and all it depends on anew, and gives the seconds of CPU that took.
    fn build(&self) -> io::Result<f64> {
        let target = self.0.join("target");
        if target.exists() {
            fs::remove_dir_all(target)?;
        }
        let before = children::cpu()?;
        self.cargo(&["build", "--release", "--locked", "--offline", "--quiet"])?;
        Ok(children::cpu()? - before)
    }

    /// The packages in its lock file, itself included.
    fn packages(&self) -> io::Result<f64> {
        let lock = fs::read_to_string(self.0.join("Cargo.lock"))?;
        let packages = lock.lines().filter(|line| *line == "[[package]]").count();
        let packages = u32::try_from(packages).map_err(io::Error::other)?;
        Ok(packages.into())
    }

    /// The bytes of the program.
    #[allow(clippy::cast_precision_loss, reason = "a program has no 2^52 bytes")]
    fn size(&self) -> io::Result<f64> {
        let program = fs::metadata(self.0.join("target/release/server"))?;
        Ok(program.len() as f64)
    }

    /// The same of another program with the same dependencies.
    fn size_with(&self, program: &str) -> io::Result<f64> {
        fs::write(self.0.join("src/main.rs"), program)?;
        self.cargo(&["build", "--release", "--locked", "--offline", "--quiet"])?;
        self.size()
    }

    fn cargo(&self, arguments: &[&str]) -> io::Result<()> {
        let status = Command::new("cargo")
            .args(arguments)
            .current_dir(&self.0)
            .env("CARGO_TARGET_DIR", self.0.join("target"))
            .stdin(Stdio::null())
            .status()?;
        if !status.success() {
            return Err(io::Error::other(format!("cargo {arguments:?} failed")));
        }
        Ok(())
    }
}

/// A server on mcp-tasks of a tool that says hello, and of whatever else is given.
fn server(more: &str, tools: &str) -> String {
    format!(
        "{HELLO}{more}\n#[tokio::main]\nasync fn main() -> Result<(), mcp_tasks::Error> {{\n    \
             Server::new(\"hello\").tools(tools![{tools}]).serve_stdio().await\n}}\n"
    )
}

const HELLO: &str = r#"use mcp_tasks::prelude::*;

/// Say hello.
#[mcp_tool]
async fn hello(
    /// Whom to greet
    name: String,
) -> String {
    format!("Hello, {name}!")
}
"#;

/// What servers of a second tool have too, by what that does.
const LARGER: [(&str, &str); 2] = [
    ("mcp-tasks, with a tool that asks", ASKS),
    ("mcp-tasks, with a task that reports and asks", TASK),
];

const ASKS: &str = r#"
/// Say goodbye.
#[mcp_tool]
async fn goodbye(name: String, ctx: Context) -> Result<String, ToolError> {
    let sure = ctx.confirm("Already?").await?;
    Ok(if sure { format!("Goodbye, {name}!") } else { "Stay!".into() })
}
"#;

const TASK: &str = r#"
/// Say goodbye.
#[mcp_tool(task)]
async fn goodbye(name: String, ctx: Context) -> Result<String, ToolError> {
    ctx.progress(1, 2, "packing");
    let sure = ctx.confirm("Already?").await?;
    Ok(if sure { format!("Goodbye, {name}!") } else { "Stay!".into() })
}
"#;

const RMCP: &str = r#"use rmcp::handler::server::wrapper::Parameters;
use rmcp::transport::stdio;
use rmcp::{ServiceExt, tool, tool_router};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Hello {
    /// Whom to greet
    name: String,
}

#[derive(Clone)]
struct Server;

#[tool_router(server_handler)]
impl Server {
    #[tool(description = "Say hello.")]
    async fn hello(&self, Parameters(Hello { name }): Parameters<Hello>) -> String {
        format!("Hello, {name}!")
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Server.serve(stdio()).await?.waiting().await?;
    Ok(())
}
"#;
