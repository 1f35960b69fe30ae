//! The runtime's golden frames are what the official schemas say they must be.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tests::schemas::{Direction, REVISIONS, Schemas};

/// A golden file's name is the method its frame belongs to, `.` for `/`, and behind `+` the case.
fn method(path: &Path) -> String {
    let name = path.file_stem().expect("a file").to_string_lossy();
    name.split('+').next().unwrap_or_default().replace('.', "/")
}

fn golden_files(revision: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mcp-tasks/src/wire/golden");
    let entries = std::fs::read_dir(folder.join(revision)).expect("golden files of the revision");
    entries
        .map(|entry| entry.expect("an entry").path())
        .collect()
}

#[test]
fn every_golden_frame_fits_the_schema_of_its_revision() {
    let Some(schemas) = Schemas::load() else {
        return;
    };
    let mut faults = Vec::new();
    for revision in REVISIONS {
        for path in golden_files(revision) {
            let text = std::fs::read_to_string(&path).expect("readable");
            let frame: Value = serde_json::from_str(&text).expect("JSON");
            let method = method(&path);
            if let Err(why) =
                schemas.check_message(revision, Direction::ToClient, Some(&method), &frame)
            {
                faults.push(format!("{}: {why}", path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
