//! Collects a tool's schemas and requirements, once per process.

use schemars::{Schema, SchemaGenerator};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Number as JsonNumber, Value, json};

use super::bounds::as_float;
use super::extract::Requirements;
use super::output::IntoOutput;
use super::schema::{self, Object, Side};
use super::spec::{Bounds, Number, ParamSpec, ToolSpec};
use crate::model::tool::ToolDef;

/// What a tool says of itself while it is registered.
pub struct Describe {
    pub(crate) requirements: Requirements,
    inputs: SchemaGenerator,
    outputs: SchemaGenerator,
    arguments: Vec<Argument>,
    whole: Option<Schema>,
    output: Option<Schema>,
    problems: Vec<String>,
}

struct Argument {
    spec: &'static ParamSpec,
    schema: Object,
    required: bool,
}

impl Describe {
    fn new() -> Self {
        Self {
            requirements: Requirements::default(),
            inputs: schema::inputs(),
            outputs: schema::outputs(),
            arguments: Vec::new(),
            whole: None,
            output: None,
            problems: Vec::new(),
        }
    }

    /// Notes the result type's schema.
    #[doc(hidden)]
    pub fn output<T: IntoOutput>(&mut self) {
        self.output = T::output_schema(&mut self.outputs);
    }

    /// Notes an argument; `optional` if its type can do without a value.
    pub(super) fn argument(
        &mut self,
        spec: &'static ParamSpec,
        make: fn(&mut SchemaGenerator) -> Schema,
        optional: bool,
    ) {
        if self
            .arguments
            .iter()
            .any(|other| other.spec.name == spec.name)
        {
            self.problems.push(format!(
                "two arguments are named `{}`; rename one with `#[arg(rename = \"..\")]`",
                spec.name
            ));
        }
        let required = !optional && !spec.has_default;
        let mut property = schema::object(make(&mut self.inputs));
        if let Some(text) = spec.description {
            property.insert("description".to_owned(), json!(text));
        }
        schema::tidy_parameter(&mut property, !required);
        if let Err(problem) =
            add_values(&mut property, spec).and_then(|()| add_bounds(&mut property, spec.bounds))
        {
            self.problems.push(format!("`{}`: {problem}", spec.name));
        }
        self.arguments.push(Argument {
            spec,
            schema: property,
            required,
        });
    }

    /// Notes an `Args<T>`.
    pub(super) fn whole(
        &mut self,
        spec: &'static ParamSpec,
        make: fn(&mut SchemaGenerator) -> Schema,
    ) {
        self.refuse_argument_keys(spec, "the type inside `Args` says that of its fields");
        if self.whole.is_some() {
            self.problems
                .push("`Args` stands twice; it takes all arguments".to_owned());
        }
        self.whole = Some(make(&mut self.inputs));
    }

    /// Notes an injected parameter.
    pub(super) fn injected(&mut self, spec: &'static ParamSpec, requires: fn(&mut Requirements)) {
        self.refuse_argument_keys(spec, "the parameter is injected and is no argument");
        requires(&mut self.requirements);
    }

    fn refuse_argument_keys(&mut self, spec: &'static ParamSpec, why: &str) {
        if spec.has_default || spec.example_json.is_some() || spec.bounds != Bounds::default() {
            self.problems.push(format!(
                "`{}` has a default, an example or bounds in `#[arg(..)]`, but {why}",
                spec.name
            ));
        }
    }

    fn input_schema(&mut self, spec: &'static ToolSpec) -> Result<Object, String> {
        let arguments = std::mem::take(&mut self.arguments);
        let root = match self.whole.take() {
            Some(_) if !arguments.is_empty() => {
                return Err(format!(
                    "`Args` takes all arguments, so `{}` cannot stand beside it; \
                     make it a field of the type inside `Args`",
                    arguments[0].spec.name
                ));
            }
            Some(whole) => whole_root(whole)?,
            None => properties_root(arguments, spec.allow_unknown),
        };
        Ok(schema::with_definitions(
            root,
            self.inputs.take_definitions(true),
            Side::Input,
        ))
    }

    fn output_schema(&mut self) -> Result<Option<Object>, String> {
        let Some(output) = self.output.take() else {
            return Ok(None);
        };
        if !schema::is_plain_object(&output) {
            return Err("the output schema is no plain object; \
                 wrap the value as `{\"result\": ..}`, as `Json` does"
                .to_owned());
        }
        let mut root = schema::object(output);
        root.remove("title");
        schema::tidy(&mut root, Side::Output);
        Ok(Some(schema::with_definitions(
            root,
            self.outputs.take_definitions(true),
            Side::Output,
        )))
    }
}

/// A tool's definition and requirements, or why no client would take it.
pub(crate) fn describe(
    spec: &'static ToolSpec,
    fill: fn(&mut Describe),
) -> Result<(ToolDef, Requirements), String> {
    let mut d = Describe::new();
    fill(&mut d);
    let (input, output) = match schemas(&mut d, spec) {
        Ok(schemas) => schemas,
        Err(problem) => {
            d.problems.push(problem);
            return Err(sentence(spec, &d.problems));
        }
    };
    if !d.problems.is_empty() {
        return Err(sentence(spec, &d.problems));
    }
    let def = ToolDef {
        name: spec.name.to_owned(),
        title: spec.title.map(str::to_owned),
        description: spec.description.to_owned(),
        input_schema: input,
        output_schema: output,
        annotations: spec.annotations,
        task_support: spec.policy.task,
    };
    Ok((def, d.requirements))
}

/// A warning for start-up if the tool's schema promises what no decoder checks.
pub(crate) fn unchecked(spec: &'static ToolSpec, def: &ToolDef) -> Option<String> {
    let schema: Object = serde_json::from_str(def.input_schema.get()).ok()?;
    let own = |name: &str| {
        spec.params
            .iter()
            .any(|param| param.name == name && param.bounds != Bounds::default())
    };
    let keywords = schema::unchecked(&schema, &own);
    (!keywords.is_empty()).then(|| {
        format!(
            "tool `{}`: its input schema promises {}, which nothing checks",
            spec.name,
            keywords
                .iter()
                .map(|keyword| format!("`{keyword}`"))
                .collect::<Vec<_>>()
                .join(", ")
        )
    })
}

fn sentence(spec: &'static ToolSpec, problems: &[String]) -> String {
    format!(
        "tool `{}` ({}:{}): {}",
        spec.name,
        spec.file,
        spec.line,
        problems.join("; ")
    )
}

type Schemas = (Box<RawValue>, Option<Box<RawValue>>);

fn schemas(d: &mut Describe, spec: &'static ToolSpec) -> Result<Schemas, String> {
    let input = match spec.input_schema {
        Some(text) => handwritten("input_schema", text)?,
        None => d.input_schema(spec)?,
    };
    let output = match spec.output_schema {
        Some(text) => Some(handwritten("output_schema", text)?),
        None => d.output_schema()?,
    };
    let raw = |schema: Object| to_raw_value(&schema).map_err(|error| error.to_string());
    Ok((raw(input)?, output.map(raw).transpose()?))
}

/// A schema that the author wrote goes out as it is, on one line, because a message is one.
fn handwritten(key: &str, text: &str) -> Result<Object, String> {
    let schema: Object = serde_json::from_str(text)
        .map_err(|error| format!("`{key}` is no JSON object: {error}"))?;
    if schema.get("type").is_none_or(|kind| kind != "object") {
        return Err(format!(
            "`{key}` must have `\"type\": \"object\"` at its root"
        ));
    }
    Ok(schema)
}

fn whole_root(whole: Schema) -> Result<Object, String> {
    let mut root = schema::object_of(schema::object(whole)).ok_or(
        "the type inside `Args` may be something else than an object; use a struct, \
         or `serde_json::Map<String, Value>` for any object",
    )?;
    schema::tidy(&mut root, Side::Input);
    Ok(root)
}

fn properties_root(arguments: Vec<Argument>, allow_unknown: bool) -> Object {
    let required: Vec<_> = arguments
        .iter()
        .filter(|argument| argument.required)
        .map(|argument| argument.spec.name)
        .collect();
    let properties: Object = arguments
        .into_iter()
        .map(|argument| {
            (
                argument.spec.name.to_owned(),
                Value::Object(argument.schema),
            )
        })
        .collect();
    let mut root = Object::new();
    root.insert("type".to_owned(), json!("object"));
    root.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        root.insert("required".to_owned(), json!(required));
    }
    if !allow_unknown {
        root.insert("additionalProperties".to_owned(), json!(false));
    }
    root
}

/// Adds the default and the example of `#[arg]` to a property.
fn add_values(property: &mut Object, spec: &ParamSpec) -> Result<(), String> {
    let read = |what: &str, json: &str| {
        serde_json::from_str::<Value>(json)
            .map_err(|error| format!("its {what} is no JSON: {error}"))
    };
    if let Some(json) = spec.default_json {
        spec.bounds
            .check(json)
            .map_err(|wrong| format!("its default {wrong}"))?;
        property.insert("default".to_owned(), read("default", json)?);
    }
    if let Some(json) = spec.example_json {
        property.insert("examples".to_owned(), json!([read("example", json)?]));
    }
    Ok(())
}

/// Merges the bounds of `#[arg]` into a property. A bound that the type's own makes pointless is
/// left out.
fn add_bounds(property: &mut Object, bounds: Bounds) -> Result<(), String> {
    let numeric = schema::is_type(property, "integer") || schema::is_type(property, "number");
    let any = !property.contains_key("type");
    let fits = |fits: bool, keys: &str, what: &str| {
        if fits || any {
            Ok(())
        } else {
            Err(format!("{keys} bound {what}, which this is not"))
        }
    };
    if bounds.min.is_some() || bounds.max.is_some() {
        fits(numeric, "`min` and `max`", "a number")?;
    }
    if bounds.min_len.is_some() || bounds.max_len.is_some() {
        fits(
            schema::is_type(property, "string"),
            "`min_len` and `max_len`",
            "a string",
        )?;
    }
    if bounds.min_items.is_some() || bounds.max_items.is_some() {
        fits(
            schema::is_type(property, "array"),
            "`min_items` and `max_items`",
            "an array",
        )?;
    }
    let number = |property: &Object, keyword: &str| property.get(keyword).and_then(Value::as_f64);
    if let Some(min) = bounds.min
        && number(property, "minimum").is_none_or(|own| as_float(min) >= own)
    {
        property.insert("minimum".to_owned(), json_number(min));
    }
    if let Some(max) = bounds.max
        && number(property, "maximum").is_none_or(|own| as_float(max) <= own)
    {
        property.insert("maximum".to_owned(), json_number(max));
    }
    let sizes = [
        ("minLength", bounds.min_len),
        ("maxLength", bounds.max_len),
        ("minItems", bounds.min_items),
        ("maxItems", bounds.max_items),
    ];
    for (keyword, size) in sizes {
        if let Some(size) = size {
            property.insert(keyword.to_owned(), json!(size));
        }
    }
    Ok(())
}

fn json_number(number: Number) -> Value {
    match number {
        Number::Int(int) => match JsonNumber::from_i128(int) {
            Some(exact) => Value::Number(exact),
            None => json!(as_float(number)),
        },
        Number::Float(float) => json!(float),
    }
}

#[cfg(test)]
mod tests;
