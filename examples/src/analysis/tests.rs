//! Whole files, from the shipped one to those that break readers.

use std::error::Error;
use std::io::{Cursor, Read};
use std::path::Path;

use super::*;
use crate::analysis::Kind::{Integer, Number, Text};

fn open(csv: &[u8]) -> Result<Analysis<Cursor<&[u8]>>, ReadError> {
    Analysis::new(Cursor::new(csv), csv.len() as u64)
}

fn analyse(csv: impl AsRef<[u8]>) -> Result<Report, ReadError> {
    let mut analysis = open(csv.as_ref())?;
    while !analysis.finished() {
        analysis = analysis.read_chunk(u64::MAX)?;
    }
    Ok(analysis.report("t.csv"))
}

fn kinds(report: &Report) -> Vec<Kind> {
    report.columns.iter().map(|column| column.kind).collect()
}

fn text_of(error: &ReadError) -> String {
    match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}

#[test]
fn the_shipped_penguins_are_what_the_data_set_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/penguins.csv");
    let analysis = Analysis::open(&path).unwrap().read_chunk(u64::MAX).unwrap();
    let report = analysis.report("penguins.csv");
    assert_eq!(
        (report.rows, report.complete, report.ragged_rows),
        (344, true, 0)
    );
    assert_eq!(analysis.bytes_read(), analysis.bytes());
    assert_eq!(
        kinds(&report),
        [Text, Text, Number, Number, Integer, Integer, Text, Integer]
    );
    let missing: Vec<_> = report.columns.iter().map(|column| column.missing).collect();
    assert_eq!(missing, [0, 0, 2, 2, 2, 2, 11, 0]);
    assert_eq!(report.columns[0].distinct, 3);
    assert_eq!(report.columns[5].min, Some(2700.into()));
    assert_eq!(report.columns[5].max, Some(6300.into()));
    assert!((report.columns[5].mean.unwrap() - 4_201.754_386).abs() < 1e-6);
}

#[test]
fn reading_stops_at_the_limit_and_knows_whether_more_is_there() {
    let csv = b"n\n1\n2\n3\n";
    let analysis = open(csv).unwrap().read_chunk(2).unwrap();
    assert_eq!((analysis.rows(), analysis.finished()), (2, false));
    assert!(!analysis.report("t").complete);
    let analysis = analysis.read_chunk(3).unwrap();
    assert_eq!((analysis.rows(), analysis.finished()), (3, true));
}

#[test]
fn a_large_file_is_read_in_more_than_one_chunk() {
    let csv = format!("n\n{}", "1234567\n".repeat(300_000));
    let analysis = open(csv.as_bytes()).unwrap().read_chunk(u64::MAX).unwrap();
    assert!(!analysis.finished());
    assert!((CHUNK..CHUNK + 100).contains(&analysis.bytes_read()));
}

#[test]
fn an_empty_file_has_no_columns_and_no_rows() {
    let report = analyse("").unwrap();
    assert_eq!(
        (report.rows, report.columns.len(), report.complete),
        (0, 0, true)
    );
}

#[test]
fn a_header_alone_gives_empty_columns() {
    for csv in ["a,b", "a,b\n", "a,b\r\n\r\n"] {
        let report = analyse(csv).unwrap();
        assert_eq!(
            (report.rows, kinds(&report)),
            (0, vec![Kind::Empty, Kind::Empty]),
            "{csv:?}"
        );
    }
}

#[test]
fn ragged_rows_are_counted_and_their_gaps_are_missing() {
    let report = analyse("a,b\n1\n2,3,4\n5,6\n").unwrap();
    assert_eq!((report.rows, report.ragged_rows), (3, 2));
    assert_eq!(
        (report.columns[0].missing, report.columns[1].missing),
        (0, 1)
    );
    assert!(
        report
            .to_string()
            .contains("2 rows not as long as the header")
    );
}

#[test]
fn quotes_keep_commas_and_line_ends() {
    let report = analyse("a,b\n\"x, y\n\"\"z\"\"\",1\n").unwrap();
    assert_eq!((report.rows, report.ragged_rows), (1, 0));
    assert_eq!(report.columns[0].first.as_deref(), Some("x, y\n\"z\""));
}

#[test]
fn a_byte_order_mark_and_crlf_leave_no_trace() {
    let report = analyse("\u{feff}a,b\r\n1,true\r\n2,false\r\n").unwrap();
    assert_eq!(report.columns[0].name, "a");
    assert_eq!(kinds(&report), [Kind::Integer, Kind::Boolean]);
}

#[test]
fn columns_without_a_name_are_numbered() {
    let report = analyse(",b, \n1,2,3\n").unwrap();
    let names: Vec<_> = report
        .columns
        .iter()
        .map(|column| column.name.as_str())
        .collect();
    assert_eq!(names, ["column 1", "b", "column 3"]);
}

#[test]
fn invalid_utf8_is_reported_not_refused() {
    let report = analyse(b"n\xe9,b\ncaf\xe9,1\nbar,2\n").unwrap();
    assert_eq!(report.columns[0].name, "n\u{fffd}");
    assert_eq!(
        (
            report.columns[0].invalid_utf8,
            report.columns[1].invalid_utf8
        ),
        (1, 0)
    );
    assert!(report.to_string().contains("1 not valid UTF-8"));
}

#[test]
fn utf_16_is_refused_by_name() {
    let error = analyse(b"\xff\xfea\0,\0b\0\n\0").unwrap_err();
    assert_eq!(text_of(&error), "the file is UTF-16; save it as UTF-8");
}

#[test]
fn a_long_field_is_read_and_an_endless_one_is_not() {
    let long = format!("a,b\n{},1\n", "x".repeat(1024 * 1024));
    assert_eq!(analyse(long).unwrap().rows, 1);

    let endless = Cursor::new("a,b\n1,2\n3,\"open").chain(std::io::repeat(b'x'));
    let error = Analysis::new(endless, u64::MAX)
        .unwrap()
        .read_chunk(u64::MAX)
        .unwrap_err();
    let text = text_of(&error);
    assert_eq!(
        text,
        "row 2 cannot be read: it is longer than 4 MiB; is a quote left open?"
    );
}

#[test]
fn a_header_without_end_is_refused() {
    let error = Analysis::new(std::io::repeat(b'x'), u64::MAX).unwrap_err();
    assert!(
        text_of(&error).starts_with("the header cannot be read"),
        "{error}"
    );
}

#[test]
fn too_many_columns_are_refused() {
    let error = analyse(",".repeat(MOST_COLUMNS)).unwrap_err();
    assert_eq!(
        text_of(&error),
        "the header has 4097 columns, more than the 4096 allowed"
    );
}

#[test]
fn the_text_stays_short_for_wide_files() {
    let report = analyse(",".repeat(99)).unwrap();
    let text = report.to_string();
    assert_eq!(text.lines().count(), 52);
    assert!(text.ends_with("and 50 more columns"));
}

#[test]
fn the_report_fits_its_own_schema_names() {
    let report = analyse("a,b\n1,x\n").unwrap();
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["columns"][0]["type"], "integer");
    assert_eq!(json["columns"][0]["max"], 1);
    assert!(json["columns"][0].get("first").is_none());
    let schema = schemars::schema_for!(Report);
    let known = schema
        .pointer("/$defs/ColumnReport/properties")
        .unwrap()
        .as_object()
        .unwrap();
    for column in json["columns"].as_array().unwrap() {
        assert!(
            column
                .as_object()
                .unwrap()
                .keys()
                .all(|key| known.contains_key(key))
        );
    }
}
