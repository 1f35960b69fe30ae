//! What a CSV file holds, column by column, in one pass and constant memory.

mod column;
mod report;
mod rows;
mod value;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use self::column::Column;
pub use self::report::{ColumnReport, Kind, Report};
use self::rows::Rows;
pub use self::rows::{LONGEST_ROW, MOST_COLUMNS, ReadError};

/// Bytes read between two chances to stop.
const CHUNK: u64 = 256 * 1024;

/// A file being analysed; read it chunk by chunk, then ask for the report.
#[derive(Debug)]
pub struct Analysis<R = File> {
    rows: Rows<R>,
    row: csv::ByteRecord,
    columns: Vec<Column>,
    rows_read: u64,
    ragged_rows: u64,
    bytes: u64,
}

impl Analysis {
    /// Opens a file and reads its header.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let file = File::open(path)?;
        let bytes = file.metadata()?.len();
        Self::new(file, bytes)
    }
}

impl<R: Read> Analysis<R> {
    /// Reads the header of `input`, which holds `bytes` bytes.
    pub fn new(input: R, bytes: u64) -> Result<Self, ReadError> {
        let rows = Rows::new(input)?;
        let columns = rows.header().iter().map(|_| Column::default()).collect();
        let row = csv::ByteRecord::new();
        Ok(Self {
            rows,
            row,
            columns,
            rows_read: 0,
            ragged_rows: 0,
            bytes,
        })
    }

    /// Reads on for a chunk (about 256 KiB), at most until `limit` rows are read in all.
    pub fn read_chunk(mut self, limit: u64) -> Result<Self, ReadError> {
        let stop = self.rows.bytes_read().saturating_add(CHUNK);
        while self.rows_read < limit && self.rows.bytes_read() < stop {
            if !self.rows.next(&mut self.row)? {
                break;
            }
            self.take_row();
        }
        Ok(self)
    }

    fn take_row(&mut self) {
        self.rows_read += 1;
        if self.row.len() != self.columns.len() {
            self.ragged_rows += 1;
        }
        for (at, column) in self.columns.iter_mut().enumerate() {
            column.take(self.row.get(at).unwrap_or_default());
        }
    }

    /// Whether every row has been read.
    pub fn finished(&self) -> bool {
        !self.rows.more()
    }

    /// Rows read so far, without the header.
    pub fn rows(&self) -> u64 {
        self.rows_read
    }

    /// Bytes read so far.
    pub fn bytes_read(&self) -> u64 {
        self.rows.bytes_read().min(self.bytes)
    }

    /// Bytes of the whole file.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// What was found so far, under the name `dataset`.
    pub fn report(&self, dataset: impl Into<String>) -> Report {
        let names = self.rows.header().iter();
        Report {
            dataset: dataset.into(),
            rows: self.rows_read,
            complete: self.finished(),
            ragged_rows: self.ragged_rows,
            columns: names
                .zip(&self.columns)
                .map(|(name, column)| column.report(name))
                .collect(),
        }
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Open(error)
    }
}

#[cfg(test)]
mod tests;
