//! Writes a CSV file of penguin-like rows: `generate_dataset [--rows N] [--out PATH] [--seed N]`.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};

use examples::penguins;

const USAGE: &str = "usage: generate_dataset [--rows N] [--out PATH] [--seed N]
defaults: --rows 1000000 --out large_file.csv --seed 1";

struct Options {
    rows: u64,
    out: String,
    seed: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let Options { rows, out, seed } = options(std::env::args().skip(1))?;
    let mut file = BufWriter::with_capacity(256 * 1024, File::create(&out)?);
    penguins::write(&mut file, rows, seed)?;
    file.flush()?;
    println!("{out}: {rows} rows");
    Ok(())
}

fn options(mut args: impl Iterator<Item = String>) -> Result<Options, Box<dyn Error>> {
    let mut options = Options {
        rows: 1_000_000,
        out: "large_file.csv".into(),
        seed: 1,
    };
    while let Some(option) = args.next() {
        let value = args.next().ok_or(USAGE)?;
        match option.as_str() {
            "--rows" => options.rows = value.parse()?,
            "--out" => options.out = value,
            "--seed" => options.seed = value.parse()?,
            _ => return Err(USAGE.into()),
        }
    }
    Ok(options)
}
