//! Forms that no client could show, or no user could fill in.

use std::collections::HashSet;

use super::field::Field;
use super::kind::{ChoiceItem, Kind};

/// `Err` names every fault, with its field.
pub(super) fn find(fields: &[Field]) -> Result<(), String> {
    let mut faults = Vec::new();
    let mut names = HashSet::new();
    for field in fields {
        let name = field.name.as_str();
        if name.is_empty() {
            faults.push("a field has no name".to_owned());
        }
        if !names.insert(name) {
            faults.push(format!("two fields are named `{name}`"));
        }
        if let Err(fault) = field.kind.find_fault() {
            faults.push(format!("`{name}`: {fault}"));
        }
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults.join("; "))
    }
}

impl Kind {
    fn find_fault(&self) -> Result<(), String> {
        match self {
            Self::Text(kind) => in_order(kind.min_len, kind.max_len)?,
            Self::Integer(kind) => in_order(kind.min, kind.max)?,
            Self::Number(kind) => {
                if [kind.min, kind.max, kind.default]
                    .into_iter()
                    .flatten()
                    .any(|x| !x.is_finite())
                {
                    return Err("a bound or the default is not a finite number".to_owned());
                }
                in_order(kind.min, kind.max)?;
            }
            Self::Boolean(_) => {}
            Self::Choice(kind) => distinct(&kind.items)?,
            Self::Choices(kind) => {
                distinct(&kind.items)?;
                in_order(kind.min_items, kind.max_items)?;
                in_order(kind.min_items, Some(kind.items.len()))?;
            }
        }
        match self.default().map(|default| self.check(default)) {
            Some(Err(got)) => Err(format!("the default does not fit the field: {got}")),
            _ => Ok(()),
        }
    }
}

fn in_order<T: PartialOrd + std::fmt::Display>(
    min: Option<T>,
    max: Option<T>,
) -> Result<(), String> {
    match (min, max) {
        (Some(min), Some(max)) if min > max => {
            Err(format!("no value is at least {min} and at most {max}"))
        }
        _ => Ok(()),
    }
}

fn distinct(items: &[ChoiceItem]) -> Result<(), String> {
    if items.is_empty() {
        return Err("there is nothing to choose from".to_owned());
    }
    let mut values = HashSet::new();
    match items
        .iter()
        .find(|item| !values.insert(item.value.as_str()))
    {
        Some(item) => Err(format!("two choices have the value {:?}", item.value)),
        None => Ok(()),
    }
}
