//! A form in the terminal, field by field.

use dialoguer::theme::ColorfulTheme;
use dialoguer::{Input, MultiSelect, Result as Asked};
use mcp_tasks::client::Answer;
use mcp_tasks::form::{ChoiceItem, Choices, Field, Form, Kind};
use serde_json::{Map, Value};

use super::given::read;
use super::menu::choose;
use crate::clean;

#[derive(Clone, Copy)]
enum Choice {
    Fill,
    Send,
    Decline,
    Dismiss,
}

const DECLINE: (Choice, &str) = (Choice::Decline, "Decline");
const DISMISS: (Choice, &str) = (Choice::Dismiss, "Dismiss: neither yes nor no");

/// Has the form filled in, changed as often as the user likes, and sent; or not.
pub(super) fn ask(form: &Form) -> Asked<Answer<Map<String, Value>>> {
    let mut content = Map::new();
    let first = match form.fields() {
        [] => (Choice::Send, "Agree"),
        _ => (Choice::Fill, "Answer"),
    };
    let mut choice = choose("Your answer", &[first, DECLINE, DISMISS], 0)?;
    loop {
        match choice.unwrap_or(Choice::Dismiss) {
            Choice::Send => return Ok(Answer::Accepted(content)),
            Choice::Decline => return Ok(Answer::Declined),
            Choice::Dismiss => return Ok(Answer::Dismissed),
            Choice::Fill => {
                let filled = fill(form, &content)?;
                let complete = filled.is_some();
                content = filled.unwrap_or(content);
                choice = match (complete, form.fields()) {
                    (true, [_]) => Some(Choice::Send),
                    (true, _) => {
                        let send = (Choice::Send, "Send it");
                        let items = [send, (Choice::Fill, "Change it"), DECLINE, DISMISS];
                        choose("Ready?", &items, 0)?
                    }
                    (false, _) => choose("Your answer", &[first, DECLINE, DISMISS], 0)?,
                };
            }
        }
    }
}

/// Every field in its turn, each with the value of before; `None` at Escape.
fn fill(form: &Form, before: &Map<String, Value>) -> Asked<Option<Map<String, Value>>> {
    let mut content = Map::new();
    for field in form.fields() {
        let default = before
            .get(field.name())
            .cloned()
            .or_else(|| field.kind().default());
        let value = match field.kind() {
            Kind::Boolean(_) => yes_or_no(field, default.as_ref())?,
            Kind::Choice(choice) => one_of(field, choice.items(), default.as_ref())?,
            Kind::Choices(choices) => some_of(field, choices, default.as_ref())?,
            _ => Some(written(field, default.as_ref())?),
        };
        match value {
            Some(Value::Null) => {}
            Some(value) => drop(content.insert(field.name().to_owned(), value)),
            None => return Ok(None),
        }
    }
    Ok(Some(content))
}

fn yes_or_no(field: &Field, default: Option<&Value>) -> Asked<Option<Value>> {
    let items =
        [("true", "yes"), ("false", "no")].map(|(value, title)| ChoiceItem::from((value, title)));
    let default = default
        .and_then(Value::as_bool)
        .map(|yes| Value::from(yes.to_string()));
    let chosen = one_of(field, &items, default.as_ref())?;
    Ok(chosen.map(|chosen| match chosen.as_str() {
        Some(word) => Value::Bool(word == "true"),
        None => Value::Null,
    }))
}

fn one_of(field: &Field, items: &[ChoiceItem], default: Option<&Value>) -> Asked<Option<Value>> {
    let mut listed: Vec<_> = items
        .iter()
        .map(|item| (Some(item.value()), item.label()))
        .collect();
    if !field.required() && field.kind().default().is_none() {
        listed.push((None, "(leave it out)"));
    }
    let default = default.and_then(Value::as_str);
    let at_first = match default {
        Some(default) => items.iter().position(|item| item.value() == default),
        None if field.required() => None,
        None => listed.len().checked_sub(1),
    };
    let chosen = choose(&prompt(field), &listed, at_first.unwrap_or(0))?;
    Ok(chosen.map(Value::from))
}

fn some_of(field: &Field, choices: &Choices, default: Option<&Value>) -> Asked<Option<Value>> {
    let items = choices.items();
    let at_first = |item: &ChoiceItem| {
        let chosen = default.and_then(Value::as_array);
        chosen.is_some_and(|chosen| chosen.iter().any(|value| value == item.value()))
    };
    let mut ticked: Vec<_> = items.iter().map(at_first).collect();
    loop {
        let chosen = MultiSelect::with_theme(&ColorfulTheme::default())
            .with_prompt(format!("{} (space ticks, enter takes)", prompt(field)))
            .items(items.iter().map(|item| clean::line(item.label())))
            .defaults(&ticked)
            .interact_opt()?;
        let Some(chosen) = chosen else {
            return Ok(None);
        };
        ticked = (0..items.len()).map(|at| chosen.contains(&at)).collect();
        let value: Value = chosen.iter().map(|at| items[*at].value()).collect();
        let left_out = chosen.is_empty() && !field.required() && field.kind().default().is_none();
        if left_out && choices.min_items() > Some(0) {
            return Ok(Some(Value::Null));
        }
        match field.check(value.clone()) {
            Ok(_) => return Ok(Some(value)),
            Err(why) => eprintln!("  {}", clean::line(&why)),
        }
    }
}

fn written(field: &Field, default: Option<&Value>) -> Asked<Value> {
    let shown = default.map(|default| clean::line(&crate::schema::plain(default)));
    let hint = match &shown {
        Some(default) => format!(" (enter for {default})"),
        None if field.required() => String::new(),
        None => " (enter leaves it out)".to_owned(),
    };
    let value = |text: &str| match (text, default) {
        ("", default) => default.cloned().unwrap_or(Value::Null),
        (text, _) => read(text, field.kind()),
    };
    let text: String = Input::with_theme(&ColorfulTheme::default())
        .with_prompt(format!("{}{hint}", prompt(field)))
        .allow_empty(true)
        .validate_with(|text: &String| match field.check(value(text)) {
            Ok(_) => Ok(()),
            Err(why) => Err(clean::line(&why)),
        })
        .interact_text()?;
    Ok(value(&text))
}

fn prompt(field: &Field) -> String {
    let label = clean::line(field.label());
    match field.explanation().map(clean::line) {
        Some(explanation) if explanation != label => format!("{label}: {explanation}"),
        _ => label,
    }
}
