//! Contenders take turns, so that a busy machine slows all of them alike.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io;

/// How often each contender is measured; the median counts.
pub(crate) const SAMPLES: usize = 5;

/// The median of what each contender is measured at.
pub(crate) fn medians<K: Copy + Ord + Debug>(
    samples: usize,
    contenders: &[K],
    mut measure: impl FnMut(K) -> io::Result<f64>,
) -> io::Result<BTreeMap<K, f64>> {
    let mut all: BTreeMap<K, Vec<f64>> = BTreeMap::new();
    for sample in 1..=samples {
        for contender in contenders {
            let value = measure(*contender)?;
            eprintln!("{sample}/{samples} {contender:?}: {value:.3}");
            all.entry(*contender).or_default().push(value);
        }
    }
    Ok(all
        .into_iter()
        .map(|(contender, samples)| (contender, median(samples)))
        .collect())
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}
