//! Schemas kept in files: whoever changes one sees what clients will see.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use similar::TextDiff;

use crate::server::Server;

/// Set to anything but `0`, it writes the files anew.
const UPDATE: &str = "UPDATE_SCHEMAS";

/// Compares the `inputSchema` and `outputSchema` of every tool of `server` with the files in `folder`, one named
/// after each tool. A relative path begins at the package's root, which is where cargo runs tests.
///
/// Models choose a tool and fill in its arguments by these schemas, so a change to a type far away can change what
/// they do. This test shows such a change before they see it. `UPDATE_SCHEMAS=1 cargo test` writes the files anew;
/// commit them.
///
/// ```no_run
/// use mcp_tasks::prelude::*;
/// use mcp_tasks::testing;
///
/// /// Greet somebody.
/// #[mcp_tool(task)]
/// async fn greet(name: String) -> String {
///     format!("Hello, {name}!")
/// }
///
/// # mod tests { use super::*;
/// #[test]
/// fn models_see_the_same_schemas_as_before() {
/// # } } fn main() {
///     let server = Server::new("greeter").tools(tools![greet]);
///     testing::assert_schemas(&server, "tests/schemas"); // tests/schemas/greet.json
/// }
/// ```
///
/// # Panics
/// If a schema differs from its file, a tool has no file, or a file no tool; the message shows the difference line
/// by line. If the server fails its start-up checks.
#[track_caller]
pub fn assert_schemas(server: &Server, folder: impl AsRef<Path>) {
    let folder = folder.as_ref();
    let update = std::env::var_os(UPDATE).is_some_and(|value| value != "0");
    let schemas = rendered(server);
    let compared = if update {
        write(&schemas, folder).map(|()| String::new())
    } else {
        differences(&schemas, folder)
    };
    match compared {
        Ok(differences) if differences.is_empty() => {}
        Ok(differences) => panic!(
            "the tools' schemas are not those in {}; {UPDATE}=1 writes them anew\n{differences}",
            folder.display()
        ),
        Err(error) => panic!("{}: {error}", folder.display()),
    }
}

/// The text of each tool's file.
#[track_caller]
fn rendered(server: &Server) -> BTreeMap<String, String> {
    let core = server.core().expect("the server passes its checks");
    let schema = |json: &str| serde_json::from_str::<Value>(json).expect("a schema is JSON");
    let tools = core.definitions();
    let texts = tools.iter().map(|def| {
        let mut both = Map::new();
        both.insert("inputSchema".to_owned(), schema(def.input_schema.get()));
        if let Some(output) = &def.output_schema {
            both.insert("outputSchema".to_owned(), schema(output.get()));
        }
        (def.name.clone(), format!("{:#}\n", Value::Object(both)))
    });
    texts.collect()
}

/// The files of the folder, by tool.
fn files(folder: &Path) -> io::Result<BTreeMap<String, PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(error) => return Err(error),
    };
    let mut files = BTreeMap::new();
    for entry in entries {
        let path = entry?.path();
        // A tool's name may have dots, so it is not the file's stem.
        let name = path.file_name().and_then(|name| name.to_str());
        if let Some(tool) = name.and_then(|name| name.strip_suffix(".json")) {
            files.insert(tool.to_owned(), path);
        }
    }
    Ok(files)
}

fn differences(schemas: &BTreeMap<String, String>, folder: &Path) -> io::Result<String> {
    let mut files = files(folder)?;
    let mut all = String::new();
    for (tool, now) in schemas {
        let Some(path) = files.remove(tool) else {
            // Writing to a String cannot fail, here and below.
            let _ = writeln!(all, "\ntool `{tool}` has no file {tool}.json");
            continue;
        };
        // Git may check files out with other line ends.
        let kept = fs::read_to_string(&path)?.replace("\r\n", "\n");
        if kept != *now {
            let lines = TextDiff::from_lines(&kept, now);
            let mut shown = lines.unified_diff();
            let shown = shown.header(&format!("{tool}.json"), &format!("tool `{tool}`"));
            let _ = write!(all, "\n{shown}");
        }
    }
    for tool in files.keys() {
        let _ = writeln!(
            all,
            "\nno tool is named `{tool}` any more, as in {tool}.json"
        );
    }
    Ok(all)
}

fn write(schemas: &BTreeMap<String, String>, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (tool, path) in files(folder)? {
        if !schemas.contains_key(&tool) {
            fs::remove_file(path)?;
        }
    }
    for (tool, text) in schemas {
        fs::write(folder.join(format!("{tool}.json")), text)?;
    }
    Ok(())
}

#[cfg(all(test, feature = "macros"))]
mod tests;
