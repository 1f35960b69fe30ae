//! Work for a processor, on a thread of its own.
//!
//! An async function that computes for seconds holds up everything else on its thread. A `blocking` tool is a plain `fn`
//! that runs on a thread apart from the server's. Nobody can stop a thread, so the loop looks itself: `ctx.check()?`
//! costs next to nothing and ends the function once the call is cancelled.
//!
//! Run it: `cargo run -p examples --bin blocking`.

use mcp_tasks::prelude::*;

/// Numbers sieved between two looks at the context.
const SEGMENT: usize = 1 << 18;

/// Count the primes below a number.
#[mcp_tool(task, blocking, read_only, timeout = "10m", max_running = 2)]
pub fn count_primes(
    #[arg(max = 100_000_000_000_u64)] below: u64,
    ctx: Context,
) -> Result<u64, ToolError> {
    let base = primes_up_to(below.isqrt());
    let mut found = 0;
    let mut from = 2;
    while from < below {
        ctx.check()?;
        ctx.progress(from, below, format!("{found} primes below {from}"));
        let to = below.min(from + SEGMENT as u64);
        found += count_between(from, to, &base);
        from = to;
    }
    Ok(found)
}

/// How many primes there are from `from` up to, not including, `to`, given all primes up to the root of `to`.
fn count_between(from: u64, to: u64, primes: &[u64]) -> u64 {
    let mut composite = vec![false; SEGMENT];
    let offset = |number: u64| usize::try_from(number - from).unwrap_or(SEGMENT);
    for &prime in primes {
        let first = (prime * prime).max(from.next_multiple_of(prime));
        let multiples = (first..to).step_by(usize::try_from(prime).unwrap_or(usize::MAX));
        for multiple in multiples {
            composite[offset(multiple)] = true;
        }
    }
    let numbers = composite[..offset(to)].iter();
    numbers.map(|composite| u64::from(!composite)).sum()
}

/// The primes up to a small number, by division.
fn primes_up_to(most: u64) -> Vec<u64> {
    let mut primes: Vec<u64> = Vec::new();
    for number in 2..=most {
        let mut candidates = primes.iter().take_while(|prime| *prime * *prime <= number);
        if candidates.all(|prime| number % prime != 0) {
            primes.push(number);
        }
    }
    primes
}

/// A server that computes.
pub fn server() -> Server {
    Server::new("primes").tools(tools![count_primes])
}
