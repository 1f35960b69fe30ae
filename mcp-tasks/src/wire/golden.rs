//! Frames compared byte for byte with the files under `golden/`, one for each shape. `UPDATE_GOLDEN=1` rewrites
//! them. A file lies in its revision's folder and has the name of the method it belongs to (the request's, where
//! it is a response), with `.` for `/` and a word behind `+` for the case: the workspace's schema test reads that.

use std::path::PathBuf;

#[cfg(feature = "server")]
use super::Revision;

#[cfg(feature = "server")]
pub(super) fn check(revision: Revision, name: &str, frame: &[u8]) {
    check_in(revision.as_str(), name, frame);
}

/// The same for a wire that is no revision of its own, and for what a client writes.
pub(crate) fn check_in(folder: &str, name: &str, frame: &[u8]) {
    let path = path(folder, name);
    let line = [frame, b"\n"].concat();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("folder");
        std::fs::write(&path, &line).expect("golden file can be written");
        return;
    }
    let golden = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; UPDATE_GOLDEN=1 writes it", path.display()));
    let line = String::from_utf8(line).expect("frames are UTF-8");
    assert_eq!(
        line,
        golden,
        "{}; UPDATE_GOLDEN=1 rewrites it",
        path.display()
    );
}

/// A frame as the server writes it, for a client to read.
#[cfg(feature = "client")]
pub(crate) fn read(folder: &str, name: &str) -> String {
    let path = path(folder, name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn path(folder: &str, name: &str) -> PathBuf {
    let name = format!("{name}.json");
    let parts = [env!("CARGO_MANIFEST_DIR"), "src/wire/golden", folder, &name];
    parts.iter().collect()
}
