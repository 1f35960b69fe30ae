//! What the measurements found, as Markdown.

use std::fmt::Write as _;

/// What one measurement found.
pub(crate) struct Section {
    pub(crate) title: &'static str,
    /// Tables, each below a sentence that says what was measured and how.
    pub(crate) body: String,
    pub(crate) goals: Vec<Goal>,
}

/// A bound that was set before it was measured, and what was measured.
pub(crate) struct Goal {
    what: String,
    bound: Bound,
    reached: f64,
}

/// A goal's limit, in the unit of what is reached; most are ratios.
enum Bound {
    AtMost(f64),
    AtLeast(f64),
}

impl Goal {
    pub(crate) fn at_most(bound: f64, what: impl Into<String>, reached: f64) -> Self {
        let (what, bound) = (what.into(), Bound::AtMost(bound));
        Self {
            what,
            bound,
            reached,
        }
    }

    pub(crate) fn at_least(bound: f64, what: impl Into<String>, reached: f64) -> Self {
        let (what, bound) = (what.into(), Bound::AtLeast(bound));
        Self {
            what,
            bound,
            reached,
        }
    }

    /// Whether what was measured keeps to the bound; what is no number does not.
    fn is_met(&self) -> bool {
        match self.bound {
            Bound::AtMost(most) => self.reached <= most,
            Bound::AtLeast(least) => self.reached >= least,
        }
    }

    fn row(&self) -> String {
        let bound = match self.bound {
            Bound::AtMost(bound) => format!("at most {}", number(bound)),
            Bound::AtLeast(bound) => format!("at least {}", number(bound)),
        };
        let met = if self.is_met() { "met" } else { "missed" };
        let reached = number(self.reached);
        format!("| {} | {bound} | {reached} | {met} |\n", self.what)
    }
}

/// What all measurements found.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) sections: Vec<Section>,
    /// What could not be measured, and why.
    pub(crate) failed: Vec<String>,
}

impl Report {
    /// What failed, the goals of all sections in one table, then the sections.
    pub(crate) fn markdown(&self) -> String {
        let mut text = String::new();
        if !self.failed.is_empty() {
            text.push_str("Not measured, because it failed:\n\n");
            for failed in &self.failed {
                let _ = writeln!(text, "- {failed}");
            }
            text.push('\n');
        }
        let mut goals = self.sections.iter().flat_map(|section| &section.goals);
        if let Some(first) = goals.next() {
            text.push_str("| goal | bound | reached | |\n|---|---|---|---|\n");
            text.push_str(&first.row());
            text.extend(goals.map(Goal::row));
        }
        for section in &self.sections {
            let _ = write!(text, "\n## {}\n\n{}", section.title, section.body);
        }
        text
    }
}

/// A number with three digits that count, or all digits before the point.
pub(crate) fn number(value: f64) -> String {
    let decimals = match value.abs() {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 || size == 0.0 => 2,
        size if size >= 0.1 => 3,
        _ => 4,
    };
    let text = format!("{value:.decimals$}");
    if decimals == 0 {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
