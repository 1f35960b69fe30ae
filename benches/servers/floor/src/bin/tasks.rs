//! Answers every request with as many bytes as the argument says, made once: what writing them takes at least.

use std::fs::File;
use std::io::{self, BufRead, Write};
use std::os::fd::AsFd;

use serde::Deserialize;

#[derive(Deserialize)]
struct Request {
    id: u64,
}

fn main() -> io::Result<()> {
    let bytes = std::env::args().nth(1).and_then(|bytes| bytes.parse().ok());
    let bytes = bytes.ok_or_else(|| io::Error::other("how many bytes?"))?;
    let rest = format!(r#","result":{{"text":"{}"}}}}"#, "x".repeat(bytes)) + "\n";
    // Without the standard output's own buffer.
    let mut output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    for line in io::stdin().lock().lines() {
        let line = line?;
        let request: Request = serde_json::from_str(&line)?;
        write!(output, r#"{{"jsonrpc":"2.0","id":{}"#, request.id)?;
        output.write_all(rest.as_bytes())?;
    }
    Ok(())
}
