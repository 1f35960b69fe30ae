//! The folder whose files a tool may read.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A folder of data sets. Names come from a model, so nothing outside the folder can be reached.
#[derive(Clone, Debug)]
pub struct DataDir(PathBuf);

/// Why there is no such data set; `dataset` is the name that was asked for.
#[derive(Debug)]
#[expect(missing_docs, reason = "the variants' texts are below")]
pub enum NoDataset {
    Missing { dataset: String },
    Outside { dataset: String },
    NotAFile { dataset: String },
    Unreadable { dataset: String, cause: io::Error },
}

impl DataDir {
    /// The folder at `path`.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// The folder named by the environment variable `DATA_DIR`, else the working directory.
    pub fn from_env() -> Self {
        Self(std::env::var_os("DATA_DIR").map_or_else(|| ".".into(), PathBuf::from))
    }

    /// The path of a file in the folder.
    pub fn find(&self, dataset: &str) -> Result<PathBuf, NoDataset> {
        let name = || dataset.to_owned();
        let unreadable = |cause: io::Error| match cause.kind() {
            io::ErrorKind::NotFound => NoDataset::Missing { dataset: name() },
            _ => NoDataset::Unreadable {
                dataset: name(),
                cause,
            },
        };
        let root = self.0.canonicalize().map_err(unreadable)?;
        // Links are followed first: where the file really is decides.
        let path = root
            .join(Path::new(dataset))
            .canonicalize()
            .map_err(unreadable)?;
        if !path.starts_with(&root) {
            return Err(NoDataset::Outside { dataset: name() });
        }
        if !path.metadata().map_err(unreadable)?.is_file() {
            return Err(NoDataset::NotAFile { dataset: name() });
        }
        Ok(path)
    }
}

impl fmt::Display for NoDataset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { dataset } => {
                write!(f, "there is no file {dataset:?} in the data directory")
            }
            Self::Outside { dataset } => write!(f, "{dataset:?} is outside the data directory"),
            Self::NotAFile { dataset } => write!(f, "{dataset:?} is not a file"),
            Self::Unreadable { dataset, .. } => write!(f, "{dataset:?} cannot be read"),
        }
    }
}

impl Error for NoDataset {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Unreadable { cause, .. } => Some(cause),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shipped() -> DataDir {
        DataDir::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("data"))
    }

    fn refusal(dataset: &str) -> String {
        shipped().find(dataset).unwrap_err().to_string()
    }

    #[test]
    fn a_file_in_the_folder_is_found() {
        assert!(
            shipped()
                .find("penguins.csv")
                .unwrap()
                .ends_with("data/penguins.csv")
        );
        assert!(shipped().find("../data/penguins.csv").is_ok());
    }

    #[test]
    fn a_missing_file_is_named() {
        assert_eq!(
            refusal("no.csv"),
            "there is no file \"no.csv\" in the data directory"
        );
    }

    #[test]
    fn nothing_outside_the_folder_is_reached() {
        assert_eq!(
            refusal("../Cargo.toml"),
            "\"../Cargo.toml\" is outside the data directory"
        );
        let absolute = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        assert!(refusal(absolute.to_str().unwrap()).ends_with("is outside the data directory"));
    }

    #[test]
    fn a_folder_is_not_a_data_set() {
        assert_eq!(refusal("."), "\".\" is not a file");
        assert_eq!(refusal(""), "\"\" is not a file");
    }

    #[test]
    fn a_name_no_system_takes_is_refused() {
        assert_eq!(refusal("a\0b"), "\"a\\0b\" cannot be read");
    }
}
