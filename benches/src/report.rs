//! What the measurements found, as Markdown.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

/// What one measurement found.
#[derive(Serialize, Deserialize)]
pub(crate) struct Section {
    pub(crate) title: String,
    /// Tables, each below a sentence that says what was measured and how.
    pub(crate) body: String,
    pub(crate) goals: Vec<Goal>,
    /// Measured for less time than it is meant to be.
    pub(crate) shortened: bool,
}

impl Section {
    pub(crate) fn new(title: &str, body: String, goals: impl Into<Vec<Goal>>) -> Self {
        Self {
            title: title.to_owned(),
            body,
            goals: goals.into(),
            shortened: false,
        }
    }
}

/// A bound that was set before it was measured, and what was measured.
#[derive(Serialize, Deserialize)]
pub(crate) struct Goal {
    what: String,
    bound: Bound,
    reached: f64,
}

/// A goal's limit, in the unit of what is reached; most are ratios.
#[derive(Serialize, Deserialize)]
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

/// What measurements found.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) measured: Vec<Measured>,
    /// What could not be measured, and why.
    pub(crate) missing: Vec<String>,
}

/// A section, with when and of what it was measured.
#[derive(Serialize, Deserialize)]
pub(crate) struct Measured {
    pub(crate) stamp: String,
    pub(crate) machine: String,
    pub(crate) section: Section,
}

impl Report {
    /// Where all was measured, what is missing, the goals of all sections in one table, then the sections.
    pub(crate) fn markdown(&self) -> String {
        let mut text = String::new();
        let common = self.machine();
        if let Some(machine) = common {
            let _ = writeln!(text, "Measured on {machine}.\n");
        }
        if !self.missing.is_empty() {
            text.push_str("Not measured:\n\n");
            for missing in &self.missing {
                let _ = writeln!(text, "- {missing}");
            }
            text.push('\n');
        }
        let sections = self.measured.iter().map(|measured| &measured.section);
        let goals: Vec<_> = sections.flat_map(|section| &section.goals).collect();
        if !goals.is_empty() {
            let missed = goals.iter().filter(|goal| !goal.is_met()).count();
            let _ = writeln!(
                text,
                "{} goals, {missed} of them missed. Each ratio is what mcp-tasks took as a part of what the other did: of CPU time \
                 where nothing else is said. What is met or missed by less than a tenth may be the other in the next run.\n\n| goal | bound | reached | |\n|---|---|---|---|",
                goals.len()
            );
            text.extend(goals.into_iter().map(Goal::row));
        }
        for Measured {
            stamp,
            machine,
            section,
        } in &self.measured
        {
            let Section { title, body, .. } = section;
            let machine = match common {
                Some(_) => String::new(),
                None => format!(" On {machine}."),
            };
            let _ = write!(text, "\n## {title}\n\n{stamp}{machine} {body}");
        }
        text
    }

    /// The machine of all measurements, if they have one.
    fn machine(&self) -> Option<&str> {
        let mut machines = self.measured.iter().map(|measured| &*measured.machine);
        let first = machines.next()?;
        machines.all(|machine| machine == first).then_some(first)
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
