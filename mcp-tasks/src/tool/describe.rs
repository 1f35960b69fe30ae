//! Collects a tool's schemas and requirements, once per process.

mod ranges;
mod shaping;

use schemars::{Schema, SchemaGenerator};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use self::ranges::add_bounds;
pub(super) use self::shaping::Source;
pub(crate) use self::shaping::{SHAPING, Shaping};
use super::decode::{Place, located};
use super::extract::Requirements;
use super::icons;
use super::output::IntoOutput;
use super::schema::{self, Object, Side};
use super::spec::{Bounds, ParamSpec, ToolSpec};
use crate::model::tool::{Mirrored, ToolDef};

/// What a tool says of itself while it is registered.
pub struct Describe {
    pub(crate) requirements: Requirements,
    inputs: SchemaGenerator,
    outputs: SchemaGenerator,
    arguments: Vec<Argument>,
    whole: Option<Result<Object, String>>,
    output: Option<(Schema, &'static Shaping)>,
    shaping: Option<&'static Shaping>,
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
            shaping: None,
            problems: Vec::new(),
        }
    }

    /// Notes the result type's schema.
    #[doc(hidden)]
    pub fn output<T: IntoOutput>(&mut self) {
        if let Some(schema) = T::output_schema(&mut self.outputs) {
            self.output = Some((schema, &SHAPING));
        }
    }

    /// Notes an argument, whose values go into `place`.
    pub(super) fn argument(
        &mut self,
        spec: &'static ParamSpec,
        source: Source,
        place: &mut dyn Place,
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
        let required = place.leave_out().is_err() && !spec.has_default;
        let mut property = schema::object((source.make)(&mut self.inputs));
        if let Some(text) = spec.description {
            property.insert("description".to_owned(), json!(text));
        }
        if let Some(shaping) = source.shaping {
            (shaping.parameter)(&mut property, !required);
            self.shaping = Some(shaping);
        } else {
            schema::drop_rust_format(&mut property);
        }
        if let Err(problem) = add_values(&mut property, spec, place)
            .and_then(|()| add_bounds(&mut property, spec.bounds))
        {
            self.problems.push(format!("`{}`: {problem}", spec.name));
        }
        if let Some(header) = spec.header {
            property.insert("x-mcp-header".to_owned(), json!(header));
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
        self.shaping = Some(&SHAPING);
        self.refuse_argument_keys(spec, "the type inside `Args` says that of its fields");
        if self.whole.is_some() {
            self.problems
                .push("`Args` stands twice; it takes all arguments".to_owned());
        }
        // Here, where no tool without an `Args` comes by: programs without one need not hold it.
        self.whole = Some(whole_root(make(&mut self.inputs)));
    }

    /// Notes an injected parameter.
    pub(super) fn injected(&mut self, spec: &'static ParamSpec, requires: fn(&mut Requirements)) {
        self.refuse_argument_keys(spec, "the parameter is injected and is no argument");
        requires(&mut self.requirements);
    }

    fn refuse_argument_keys(&mut self, spec: &'static ParamSpec, why: &str) {
        if spec.has_default
            || spec.example_json.is_some()
            || spec.header.is_some()
            || spec.bounds != Bounds::default()
        {
            self.problems.push(format!(
                "`{}` has a default, an example, a header or bounds in `#[arg(..)]`, but {why}",
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
            Some(whole) => whole?,
            None => properties_root(arguments, spec.allow_unknown),
        };
        Ok(match self.shaping {
            Some(shaping) => (shaping.complete)(root, &mut self.inputs, Side::Input),
            None => root,
        })
    }

    fn output_schema(&mut self) -> Result<Option<Object>, String> {
        let output = self.output.take();
        output
            .map(|(schema, shaping)| (shaping.output)(schema, &mut self.outputs))
            .transpose()
    }
}

/// A tool's definition and requirements, or why no client would take it.
pub(crate) fn describe(
    spec: &'static ToolSpec,
    fill: fn(&mut Describe),
) -> Result<(ToolDef, Requirements), String> {
    let mut d = Describe::new();
    d.shaping = spec.shaping;
    fill(&mut d);
    let (input, output, mirrored) = match schemas(&mut d, spec) {
        Ok(schemas) => schemas,
        Err(problem) => {
            d.problems.push(problem);
            return Err(sentence(spec, &d.problems));
        }
    };
    let icons = noted(spec.icons.map(icons::icons), &mut d.problems);
    let meta = noted(spec.meta.map(icons::meta), &mut d.problems);
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
        mirrored,
        icons,
        meta,
    };
    // Not before: an extractor of the author's may have made the requirements anew.
    d.requirements.shaping = d.shaping;
    Ok((def, d.requirements))
}

fn noted<T>(read: Option<Result<T, String>>, problems: &mut Vec<String>) -> Option<T> {
    match read? {
        Ok(value) => Some(value),
        Err(problem) => {
            problems.push(problem);
            None
        }
    }
}

/// [`unchecked`]
#[cfg(not(feature = "validate"))]
type Warn = fn(&'static ToolSpec, fn(&mut Describe), &ToolDef) -> Option<String>;

/// A warning for start-up if the tool's schema promises what no decoder checks.
#[cfg(any(test, not(feature = "validate")))]
pub(super) fn unchecked(
    spec: &'static ToolSpec,
    fill: fn(&mut Describe),
    def: &ToolDef,
) -> Option<String> {
    let schema: Object = serde_json::from_str(def.input_schema.get()).ok()?;
    let own = |name: &str| {
        spec.params
            .iter()
            .any(|param| param.name == name && param.bounds != Bounds::default())
    };
    let mut keywords = schema::unchecked(&schema, &own);
    if spec.input_schema.is_some() {
        // What the parameters would promise by themselves is what decoding enforces, but for what they promise too much.
        let mut d = Describe::new();
        fill(&mut d);
        let enforced = d.input_schema(spec).unwrap_or_default();
        let too_much = schema::unchecked(&enforced, &own);
        keywords.retain(|keyword| too_much.contains(keyword));
        for keyword in schema::beyond(&schema, &enforced) {
            schema::add_in_order(&mut keywords, keyword);
        }
    }
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

type Schemas = (Box<RawValue>, Option<Box<RawValue>>, Vec<Mirrored>);

fn schemas(d: &mut Describe, spec: &'static ToolSpec) -> Result<Schemas, String> {
    let input = match spec.input_schema {
        Some(text) => handwritten("input_schema", text)?,
        None => d.input_schema(spec)?,
    };
    let output = match spec.output_schema {
        Some(text) => Some(handwritten("output_schema", text)?),
        None => d.output_schema()?,
    };
    let mirrored = schema::mirrored(&input).map_err(|faults| faults.join("; "))?;
    let raw = |schema: Object| to_raw_value(&schema).map_err(|error| error.to_string());
    Ok((raw(input)?, output.map(raw).transpose()?, mirrored))
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

fn output_root(output: Schema, generator: &mut SchemaGenerator) -> Result<Object, String> {
    if !schema::is_plain_object(&output) {
        return Err("the output schema is no plain object; \
             wrap the value as `{\"result\": ..}`, as `Json` does"
            .to_owned());
    }
    let mut root = schema::object(output);
    root.remove("title");
    schema::tidy(&mut root, Side::Output);
    let definitions = generator.take_definitions(true);
    Ok(schema::with_definitions(root, definitions, Side::Output))
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
        root.insert("required".to_owned(), required.into());
    }
    if !allow_unknown {
        root.insert("additionalProperties".to_owned(), json!(false));
    }
    root
}

/// Adds the default and the example of `#[arg]` to a property. A default is made by Rust and may be
/// spelt otherwise in JSON (`"fast"` by way of `From<&str>`); then the schema does not tell it.
fn add_values(
    property: &mut Object,
    spec: &ParamSpec,
    place: &mut dyn Place,
) -> Result<(), String> {
    let mut read = |json: &str| -> Result<Value, String> {
        let value = place.read(json).and_then(|()| serde_json::from_str(json));
        value.map_err(|error| located(json, &error).1)
    };
    let within = |what: &str, json: &str| {
        let checked = spec.check(json);
        checked.map_err(|wrong| format!("its {what} {wrong}"))
    };
    if let Some(json) = spec.default_json {
        within("default", json)?;
        if let Ok(value) = read(json) {
            property.insert("default".to_owned(), value);
        }
    }
    if let Some(json) = spec.example_json {
        within("example", json)?;
        let value =
            read(json).map_err(|wrong| format!("its example is no value for it: {wrong}"))?;
        property.insert("examples".to_owned(), vec![value].into());
    }
    Ok(())
}

#[cfg(test)]
mod tests;
