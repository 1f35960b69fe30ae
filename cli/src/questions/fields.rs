//! A form that is not shown field by field: what there is to fill in, for whoever would use `--answer`.

use mcp_tasks::form::{ChoiceItem, Field, Form, Kind};
use serde_json::{Value, json};

use crate::clean;
use crate::schema::plain;

/// A line for each field, by the name that `--answer` takes.
pub(super) fn lines(form: &Form) -> String {
    let lines = form.fields().iter().map(|field| {
        format!(
            "  {}: {}",
            clean::line(field.name()),
            clean::line(&facts(field))
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn facts(field: &Field) -> String {
    let expected = field.expected();
    match field.kind().default() {
        Some(default) => format!("{expected}, default {}", plain(&default)),
        None if field.required() => expected,
        None => format!("{expected}, optional"),
    }
}

/// The same for programs.
pub(super) fn json(form: &Form) -> Value {
    let field = |field: &Field| {
        let items = match field.kind() {
            Kind::Choice(choice) => Some(choice.items()),
            Kind::Choices(choices) => Some(choices.items()),
            _ => None,
        };
        let values =
            |items: &[ChoiceItem]| items.iter().map(|item| Value::from(item.value())).collect();
        json!({
            "name": field.name(), "label": field.label(), "expected": field.expected(),
            "required": field.required(), "default": field.kind().default(),
            "choices": items.map_or(Value::Null, values),
        })
    };
    form.fields().iter().map(field).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> Form {
        Form::new()
            .field(Field::text("name"))
            .field(Field::integer("guests\x1b[2J").min(1).max(12).default(2))
            .field(Field::choice("meal", [("veg", "Vegetarian"), ("fish", "Fish")]).optional())
    }

    #[test]
    fn each_field_is_told_by_the_name_that_answers_it() {
        assert_eq!(
            lines(&form()),
            "  name: a string\n  guests: a whole number (1 to 12), default 2\n  \
             meal: one of \"veg\", \"fish\", optional"
        );
    }

    #[test]
    fn programs_get_the_choices_and_the_default() {
        let fields = json(&form());
        assert_eq!(
            fields[0],
            json!({
                "name": "name", "label": "name", "expected": "a string", "required": true, "default": null, "choices": null,
            })
        );
        assert_eq!(fields[1]["default"], 2);
        assert_eq!(fields[2]["choices"], json!(["veg", "fish"]));
    }
}
