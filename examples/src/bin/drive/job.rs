//! The call that is made, and what must come of it.

use std::fs::File;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::{Fault, tell};

/// How the call is to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The question is answered and the result read.
    Answer,
    /// The call is cancelled while its question is open.
    Cancel,
}

/// One call of `analyze_dataset`. Its row limit is half of the file, so the question comes half way.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) folder: PathBuf,
    dataset: String,
    rows: u64,
}

impl Job {
    /// The call for a CSV file, whose rows are counted to check the result.
    pub(crate) fn on(file: &Path) -> Result<Self, Fault> {
        let name = file.display();
        let path = file
            .canonicalize()
            .map_err(|error| format!("{name}: {error}"))?;
        let (folder, dataset) = path.parent().zip(path.file_name()).ok_or("not a file")?;
        let mut reader = csv::ReaderBuilder::new()
            .flexible(true)
            .from_reader(File::open(&path)?);
        let rows = reader
            .byte_records()
            .try_fold(0, |rows, row| row.map(|_| rows + 1))?;
        if rows < 2 {
            return Err(format!(
                "{name} needs at least two rows below its header, to stop half way"
            )
            .into());
        }
        let dataset = dataset
            .to_str()
            .ok_or("the file's name is not UTF-8")?
            .to_owned();
        Ok(Self {
            folder: folder.to_owned(),
            dataset,
            rows,
        })
    }

    /// The parameters of `tools/call`, before a wire adds its own.
    pub(crate) fn params(&self) -> Value {
        let arguments = json!({"dataset": self.dataset, "row_limit": self.rows / 2});
        tell::line("tools/call", &format!("analyze_dataset {arguments}"));
        json!({"name": "analyze_dataset", "arguments": arguments})
    }

    /// Shows an `elicitation/create` and answers it.
    pub(crate) fn answer(question: &Value) -> Result<Value, Fault> {
        tell::question(question);
        let fields = &question["params"]["requestedSchema"]["properties"];
        if fields["go_on"]["type"] != "boolean" || fields["rows_at_most"]["type"] != "integer" {
            return Err(
                format!("the question has not the fields it should have: {question}").into(),
            );
        }
        let answer = json!({"action": "accept", "content": {"go_on": true}});
        tell::line("answer", &answer.to_string());
        Ok(answer)
    }

    /// Shows the call's result and checks it against the file.
    pub(crate) fn check(&self, result: &Value) -> Result<(), Fault> {
        tell::result(result);
        let report = &result["structuredContent"];
        let whole = report["rows"] == self.rows && report["complete"] == true;
        if result["isError"] == true || !whole || report["dataset"] != *self.dataset {
            return Err(format!("the result is not about {} rows: {result}", self.rows).into());
        }
        Ok(())
    }
}
