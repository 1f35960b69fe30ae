//! Tools for people to read.

use std::fmt::Write;

use mcp_tasks::client::{RemoteTool, TaskSupport};
use serde_json::Value;

use crate::clean;
use crate::schema::{Schema, plain};

/// Keywords of a schema that are told beside the type.
const BOUNDS: [&str; 10] = [
    "format",
    "pattern",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
];

/// What a tool says it does to the world, by its hints.
const HINTS: [(&str, bool, &str); 4] = [
    ("readOnlyHint", true, "changes nothing"),
    ("destructiveHint", true, "may destroy something"),
    ("idempotentHint", true, "may be repeated without harm"),
    ("openWorldHint", false, "reaches nothing outside its server"),
];

/// A line for each tool: its name, and how its description begins.
pub(crate) fn list(tools: &[RemoteTool]) -> String {
    let names: Vec<_> = tools.iter().map(|tool| clean::line(tool.name())).collect();
    let width = names
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0);
    let lines = tools.iter().zip(&names).map(|(tool, name)| {
        let about = tool.description().or(tool.title()).unwrap_or_default();
        let about = clean::line(
            about
                .lines()
                .find(|line| !line.trim().is_empty())
                .unwrap_or_default(),
        );
        format!("{name:width$}  {about}").trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Everything that somebody who wants to call the tool should know.
pub(crate) fn describe(tool: &RemoteTool) -> String {
    let mut text = clean::line(tool.name());
    if let Some(title) = tool.title() {
        let _ = write!(text, ": {}", clean::line(title));
    }
    if let Some(description) = tool.description() {
        let _ = write!(text, "\n{}", indented(description, 2));
    }
    text.push_str("\n\n");
    text.push_str(&arguments(Schema::new(tool.input_schema())));
    let traits = traits(tool);
    if !traits.is_empty() {
        let _ = write!(text, "\n\nIt {}.", traits.join(", "));
    }
    text
}

fn arguments(schema: Schema<'_>) -> String {
    let required: Vec<_> = schema.required().collect();
    let lines = schema
        .properties()
        .map(|(name, property)| argument(name, property, &required));
    let mut lines: Vec<_> = lines.collect();
    if lines.is_empty() {
        let none = if schema.is_open() {
            "Arguments: any"
        } else {
            "Arguments: none"
        };
        return none.to_owned();
    }
    lines.insert(0, "Arguments:".to_owned());
    lines.join("\n")
}

fn argument(name: &str, schema: Schema<'_>, required: &[&str]) -> String {
    let mut facts = vec![schema.expected()];
    let bounds = BOUNDS
        .iter()
        .filter_map(|name| Some((name, schema.keyword(name)?)));
    facts.extend(bounds.map(|(name, bound)| format!("{name} {}", plain(bound))));
    match schema.keyword("default") {
        Some(default) => facts.push(format!("default {}", plain(default))),
        None if required.contains(&name) => facts.push("required".to_owned()),
        None => facts.push("optional".to_owned()),
    }
    let head = format!(
        "  {} ({})",
        clean::line(name),
        clean::line(&facts.join(", "))
    );
    match schema.keyword("description").and_then(Value::as_str) {
        Some(description) => format!("{head}\n{}", indented(description, 6)),
        None => head,
    }
}

fn traits(tool: &RemoteTool) -> Vec<&'static str> {
    let mut traits = Vec::new();
    match tool.task_support() {
        TaskSupport::Optional => traits.push("may run as a task"),
        TaskSupport::Required => traits.push("runs as a task only"),
        TaskSupport::Never => {}
    }
    let hints = HINTS
        .iter()
        .filter(|(hint, value, _)| tool.hint(hint) == Some(*value));
    traits.extend(hints.map(|(.., words)| *words));
    if tool.output_schema().is_some() {
        traits.push("gives structured content");
    }
    traits
}

fn indented(text: &str, by: usize) -> String {
    let text = clean::block(text);
    let lines = text
        .trim()
        .lines()
        .map(|line| format!("{:by$}{line}", "").trim_end().to_owned());
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_are_listed_with_what_they_take() {
        let schema = json!({
            "type": "object",
            "properties": {
                "dataset": { "type": "string", "description": "CSV file\nwith a header" },
                "row_limit": { "type": "integer", "minimum": 1, "default": 100_000 },
                "mode": { "enum": ["fast", "\x1b[2Jexact"] },
            },
            "required": ["dataset"],
        });
        let expected = "Arguments:\n  dataset (text, required)\n      CSV file\n      with a header\n  \
                        row_limit (a whole number, minimum 1, default 100000)\n  mode (one of fast, exact, optional)";
        assert_eq!(arguments(Schema::new(&schema)), expected);
    }

    #[test]
    fn a_tool_without_arguments_says_so() {
        assert_eq!(
            arguments(Schema::new(
                &json!({ "type": "object", "properties": {}, "additionalProperties": false })
            )),
            "Arguments: none"
        );
        assert_eq!(arguments(Schema::new(&Value::Null)), "Arguments: any");
    }
}
