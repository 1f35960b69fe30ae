//! A choice by the arrow keys.

use dialoguer::theme::ColorfulTheme;
use dialoguer::{Result as Asked, Select};

use crate::clean;

/// What the user takes; `None` at Escape.
pub(super) fn choose<T: Copy>(
    prompt: &str,
    items: &[(T, &str)],
    at_first: usize,
) -> Asked<Option<T>> {
    let labels: Vec<_> = items.iter().map(|(_, label)| clean::line(label)).collect();
    let chosen = Select::with_theme(&ColorfulTheme::default())
        .with_prompt(clean::line(prompt))
        .items(&labels)
        .default(at_first)
        .interact_opt()?;
    Ok(chosen.map(|at| items[at].0))
}
