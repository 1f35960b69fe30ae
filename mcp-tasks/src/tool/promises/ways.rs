//! How many ways there are through a schema.
//!
//! To say how a value breaks a schema, each of its forms is followed to its end. Where a form refers back to the schema,
//! that multiplies with each level of the value, so that a value of a few hundred bytes would keep the server busy for
//! years.

use serde_json::Value;

/// Takes some ten milliseconds; more would be felt by other calls.
const FEW: u64 = 20_000;

/// What a schema says of it.
pub(super) struct Ways {
    /// The most ways that go on from one place of a schema that refers to others; 1 where none does.
    branches: u64,
}

impl Ways {
    pub(super) fn through(schema: &Value) -> Self {
        let mut seen = Seen::default();
        seen.walk(schema);
        Self {
            branches: if seen.refers { seen.branches } else { 1 },
        }
    }

    /// Whether all ways can be gone with these arguments.
    pub(super) fn are_few(&self, arguments: &Value) -> bool {
        self.branches <= 1 || self.cost(arguments, 1) <= FEW
    }

    /// Visits that a value takes if `ways` lead to it; something above `FEW` if that is too many.
    fn cost(&self, value: &Value, ways: u64) -> u64 {
        let below: &mut dyn Iterator<Item = &Value> = match value {
            Value::Array(items) => &mut items.iter(),
            Value::Object(members) => &mut members.values(),
            _ => return 0,
        };
        let mut cost = ways;
        for value in below {
            if cost > FEW {
                break;
            }
            cost = cost.saturating_add(self.cost(value, ways.saturating_mul(self.branches)));
        }
        cost
    }
}

#[derive(Default)]
struct Seen {
    refers: bool,
    branches: u64,
}

impl Seen {
    /// Looks at everything, schema or not: one keyword too many makes a message less exact, and one too few a server
    /// that hangs.
    fn walk(&mut self, value: &Value) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.walk(item)),
            Value::Object(members) => {
                let mut branches = 0;
                for (keyword, value) in members {
                    branches += match (keyword.as_str(), value) {
                        ("anyOf" | "oneOf" | "allOf", Value::Array(forms)) => forms.len(),
                        ("patternProperties" | "dependentSchemas", Value::Object(forms)) => {
                            forms.len()
                        }
                        ("if", _) => 2,
                        ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(_)) => {
                            self.refers = true;
                            1
                        }
                        ("properties" | "additionalProperties" | "items", _) => 1,
                        _ => 0,
                    };
                    self.walk(value);
                }
                self.branches = self
                    .branches
                    .max(u64::try_from(branches).unwrap_or(u64::MAX));
            }
            _ => {}
        }
    }
}
