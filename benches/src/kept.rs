//! What each measurement found last, so that a report can be made of measurements made one at a time.

use std::fs;
use std::io;
use std::path::PathBuf;

use crate::report::Measured;

/// A file for each word.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/results");

fn path(word: &str) -> PathBuf {
    PathBuf::from(FOLDER).join(word).with_extension("json")
}

pub(crate) fn keep(word: &str, measured: &Measured) -> io::Result<()> {
    fs::create_dir_all(FOLDER)?;
    fs::write(path(word), serde_json::to_vec_pretty(measured)?)
}

pub(crate) fn find(word: &str) -> io::Result<Option<Measured>> {
    match fs::read(path(word)) {
        Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
