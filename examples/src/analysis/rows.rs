//! Rows of a CSV file, none of them longer than memory allows.

use std::error::Error;
use std::fmt;
use std::io::{self, Read};

/// Bytes in a row, at most. A longer one is a fault of the file, most often a quote left open.
pub const LONGEST_ROW: u64 = 4 * 1024 * 1024;

/// Columns in a file, at most: each costs memory for the whole run.
pub const MOST_COLUMNS: usize = 4_096;

/// Why a file cannot be analysed.
#[derive(Debug)]
pub enum ReadError {
    /// The file does not open.
    Open(io::Error),
    /// The file is UTF-16, as some spreadsheets save it.
    Utf16,
    /// The header has more than [`MOST_COLUMNS`] columns.
    Columns(usize),
    /// A row cannot be read; row 0 is the header.
    Row {
        /// Its number, counted from 1 after the header.
        row: u64,
        /// What is wrong with it.
        cause: csv::Error,
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(_) => f.write_str("the file cannot be opened"),
            Self::Utf16 => f.write_str("the file is UTF-16; save it as UTF-8"),
            Self::Columns(found) => {
                write!(
                    f,
                    "the header has {found} columns, more than the {MOST_COLUMNS} allowed"
                )
            }
            Self::Row { row: 0, .. } => f.write_str("the header cannot be read"),
            Self::Row { row, .. } => write!(f, "row {row} cannot be read"),
        }
    }
}

impl Error for ReadError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Open(cause) => Some(cause),
            Self::Row { cause, .. } => Some(cause),
            Self::Utf16 | Self::Columns(_) => None,
        }
    }
}

/// A CSV file's rows. One row is read ahead, so the end is known before anyone asks to go past it.
#[derive(Debug)]
pub(super) struct Rows<R> {
    reader: csv::Reader<Allowance<R>>,
    header: Vec<String>,
    ahead: csv::ByteRecord,
    more: bool,
    read: u64,
}

impl<R: Read> Rows<R> {
    /// Reads the header and the first row.
    pub(super) fn new(input: R) -> Result<Self, ReadError> {
        let mut reader = csv::ReaderBuilder::new()
            .flexible(true)
            .buffer_capacity(64 * 1024)
            .from_reader(Allowance {
                input,
                left: LONGEST_ROW,
            });
        let header = header(&mut reader)?;
        let ahead = csv::ByteRecord::new();
        let mut rows = Self {
            reader,
            header,
            ahead,
            more: true,
            read: 0,
        };
        rows.fetch()?;
        Ok(rows)
    }

    /// The columns' names.
    pub(super) fn header(&self) -> &[String] {
        &self.header
    }

    /// Whether another row is there.
    pub(super) fn more(&self) -> bool {
        self.more
    }

    /// Bytes behind the rows handed out, give or take the one read ahead.
    pub(super) fn bytes_read(&self) -> u64 {
        self.reader.position().byte()
    }

    /// Puts the next row into `row`; `false` at the end.
    pub(super) fn next(&mut self, row: &mut csv::ByteRecord) -> Result<bool, ReadError> {
        if !self.more {
            return Ok(false);
        }
        std::mem::swap(row, &mut self.ahead);
        self.fetch()?;
        Ok(true)
    }

    fn fetch(&mut self) -> Result<(), ReadError> {
        self.reader.get_mut().left = LONGEST_ROW;
        self.read += 1;
        self.more = self
            .reader
            .read_byte_record(&mut self.ahead)
            .map_err(|cause| ReadError::Row {
                row: self.read,
                cause,
            })?;
        Ok(())
    }
}

fn header<R: Read>(reader: &mut csv::Reader<R>) -> Result<Vec<String>, ReadError> {
    let header = reader
        .byte_headers()
        .map_err(|cause| ReadError::Row { row: 0, cause })?;
    if header
        .get(0)
        .is_some_and(|name| name.starts_with(b"\xff\xfe") || name.starts_with(b"\xfe\xff"))
    {
        return Err(ReadError::Utf16);
    }
    if header.len() > MOST_COLUMNS {
        return Err(ReadError::Columns(header.len()));
    }
    let names = header
        .iter()
        .zip(1..)
        .map(|(name, at)| match name.trim_ascii() {
            b"" => format!("column {at}"),
            name => String::from_utf8_lossy(name).into_owned(),
        });
    Ok(names.collect())
}

/// A reader that gives a certain number of bytes and then fails.
#[derive(Debug)]
struct Allowance<R> {
    input: R,
    left: u64,
}

impl<R: Read> Read for Allowance<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            let limit = LONGEST_ROW / (1024 * 1024);
            return Err(io::Error::other(format!(
                "it is longer than {limit} MiB; is a quote left open?"
            )));
        }
        let most = usize::try_from(self.left)
            .unwrap_or(usize::MAX)
            .min(buffer.len());
        let read = self.input.read(&mut buffer[..most])?;
        self.left -= read as u64;
        Ok(read)
    }
}
