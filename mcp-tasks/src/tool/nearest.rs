//! Which known name a misspelt one is likely to mean.

/// The known name nearest to `given`, if one is near enough to be meant.
pub(super) fn nearest<'n>(given: &str, known: &[&'n str]) -> Option<&'n str> {
    /// No parameter's name is longer; a client may send anything.
    const LONGEST: usize = 64;
    if given.len() > LONGEST {
        return None;
    }
    let given = folded(given);
    let (distance, name) = known
        .iter()
        .map(|name| (distance(&given, &folded(name)), *name))
        .min_by_key(|(d, _)| *d)?;
    (distance <= (given.len() / 3).max(1)).then_some(name)
}

/// Without what spellings differ in: `max_len`, `maxLen` and `max-len` are the same.
fn folded(name: &str) -> Vec<char> {
    name.chars()
        .filter(|c| !matches!(c, '_' | '-'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// Insertions, deletions, replacements and swaps of neighbours from `a` to `b`.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_slips_and_other_spellings_are_near() {
        let known = ["name", "max_len", "region"];
        assert_eq!(nearest("nmae", &known), Some("name"));
        assert_eq!(nearest("maxLen", &known), Some("max_len"));
        assert_eq!(nearest("regoin", &known), Some("region"));
        assert_eq!(nearest("names", &known), Some("name"));
        assert_eq!(nearest("GRÖSSE", &["größe"]), Some("größe"));
    }

    #[test]
    fn other_words_are_not() {
        assert_eq!(nearest("colour", &["name", "region"]), None);
        assert_eq!(nearest("x", &[]), None);
        assert_eq!(nearest(&"n".repeat(100_000), &["name"]), None);
    }
}
