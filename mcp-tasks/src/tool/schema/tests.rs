mod samples;
mod unchecked;

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroU32;

use schemars::JsonSchema;
use serde::Deserialize;

pub(in crate::tool) use self::samples::{Documented, Inner, Node, Plain, WithData};
use super::*;
use crate::context::Context;
use crate::tool::describe::{Describe, describe, unchecked};
use crate::tool::extract::{Args, State};
use crate::tool::param::Param;
use crate::tool::spec::{Number, ParamSpec, ToolSpec};
use crate::tool::tests::tool;

/// The rules of every schema below the root, wherever a schema stands.
fn assert_plain(schema: &Value, at: &str, side: Side) {
    let schema = schema
        .as_object()
        .unwrap_or_else(|| panic!("{at} is no object: {schema}"));
    assert!(!schema.contains_key("$schema"), "{at}");
    assert!(!schema.contains_key("nullable"), "{at}");
    if let Some(format) = schema.get("format") {
        assert!(
            ["date-time", "uuid", "uri"].contains(&format.as_str().unwrap()),
            "{at}: {format}"
        );
    }
    if schema.get("type") == Some(&json!("array")) {
        assert!(schema["items"].is_object(), "{at} has no items");
    }
    let required = schema.get("required").cloned().unwrap_or(json!([]));
    for keyword in ["properties", "patternProperties", "$defs"] {
        for (name, below) in schema
            .get(keyword)
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            let at = format!("{at}.{name}");
            assert_plain(below, &at, side);
            let optional =
                keyword == "properties" && !required.as_array().unwrap().contains(&json!(name));
            if side == Side::Input && optional {
                assert!(!below["type"].is_array(), "{at} has several types");
                let null = json!({"type": "null"});
                assert!(
                    !below["anyOf"]
                        .as_array()
                        .is_some_and(|all| all.contains(&null)),
                    "{at}"
                );
            }
        }
    }
    for keyword in ["prefixItems", "allOf", "anyOf", "oneOf"] {
        for below in schema
            .get(keyword)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            assert_plain(below, &format!("{at}/{keyword}"), side);
        }
    }
    for keyword in ["items", "contains", "not"] {
        if let Some(below) = schema.get(keyword) {
            assert_plain(below, &format!("{at}/{keyword}"), side);
        }
    }
    if let Some(below) = schema
        .get("additionalProperties")
        .filter(|below| !below.is_boolean())
    {
        assert_plain(below, &format!("{at}/additionalProperties"), side);
    }
}

pub(in crate::tool) fn assert_root(schema: &Value, side: Side) {
    assert_eq!(schema["type"], "object");
    assert!(schema["properties"].is_object());
    for keyword in ["anyOf", "oneOf", "allOf", "$ref", "not", "if", "title"] {
        assert!(schema.get(keyword).is_none(), "{keyword} at the root");
    }
    assert_plain(schema, "", side);
    let text = schema.to_string();
    for (at, _) in text.match_indices("\"$ref\":\"#/$defs/") {
        let name = text[at + 16..].split('"').next().unwrap();
        assert!(schema["$defs"][name].is_object(), "{name} is not defined");
    }
}

pub(in crate::tool) fn input((spec, fill): (&'static ToolSpec, fn(&mut Describe))) -> Value {
    let (def, _) = describe(spec, fill).unwrap();
    let schema = serde_json::from_str(def.input_schema.get()).unwrap();
    assert_root(&schema, Side::Input);
    schema
}

#[test]
fn a_tool_without_arguments_is_an_empty_closed_object() {
    let empty = json!({"type": "object", "properties": {}, "additionalProperties": false});
    assert_eq!(input(tool!()), empty);
    assert_eq!(input(tool!(ctx: Context, db: State<u8>)), empty);
}

#[test]
fn properties_keep_the_order_of_the_parameters() {
    let schema =
        input(tool!(zulu: u8, alpha.description("First letter"): String, mike: Option<bool>));
    assert_eq!(
        schema["properties"]
            .as_object()
            .unwrap()
            .keys()
            .collect::<Vec<_>>(),
        ["zulu", "alpha", "mike"]
    );
    assert_eq!(
        schema,
        json!({
            "type": "object",
            "properties": {
                "zulu": {"type": "integer", "minimum": 0, "maximum": 255},
                "alpha": {"type": "string", "description": "First letter"},
                "mike": {"type": "boolean"},
            },
            "required": ["zulu", "alpha"],
            "additionalProperties": false,
        })
    );
}

#[test]
fn numbers_have_no_rust_formats() {
    let schema = input(tool!(
        a: u8, b: u16, c: u32, d: u64, e: usize, f: i8, g: i64, h: i128, i: u128, j: f32, k: f64,
        l: NonZeroU32
    ));
    let of = |name: &str| schema["properties"][name].clone();
    assert_eq!(
        of("b"),
        json!({"type": "integer", "minimum": 0, "maximum": 65535})
    );
    for unsigned in ["c", "d", "e", "i"] {
        assert_eq!(
            of(unsigned),
            json!({"type": "integer", "minimum": 0}),
            "{unsigned}"
        );
    }
    assert_eq!(
        of("f"),
        json!({"type": "integer", "minimum": -128, "maximum": 127})
    );
    for signed in ["g", "h"] {
        assert_eq!(of(signed), json!({"type": "integer"}), "{signed}");
    }
    for float in ["j", "k"] {
        assert_eq!(of(float), json!({"type": "number"}), "{float}");
    }
    assert_eq!(of("l"), json!({"type": "integer", "minimum": 1}));
}

#[test]
fn real_formats_properties_named_format_and_example_data_are_left_alone() {
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "only described")]
    struct Odd {
        format: u32,
        title: Option<String>,
        #[schemars(extend("format" = "date-time", "examples" = [{"format": "uint32", "type": ["string", "null"]}]))]
        at: String,
        #[serde(rename = "$ref")]
        reference: String,
        #[serde(rename = "anyOf")]
        any_of: Vec<Value>,
    }
    let schema = input(tool!(odd: Odd));
    let odd = &schema["properties"]["odd"]["properties"];
    assert_eq!(odd["format"], json!({"type": "integer", "minimum": 0}));
    assert_eq!(odd["title"], json!({"type": "string"}));
    assert_eq!(odd["at"]["format"], "date-time");
    assert_eq!(
        odd["at"]["examples"],
        json!([{"format": "uint32", "type": ["string", "null"]}])
    );
    assert_eq!(odd["$ref"], json!({"type": "string"}));
    assert_eq!(odd["anyOf"], json!({"type": "array", "items": {}}));
}

#[test]
fn any_json_is_an_object_schema_wherever_it_stands() {
    let schema = input(tool!(
        a: Value, b: Option<Value>, c: Vec<Value>, d: HashMap<String, Value>, e: Inner,
        f.description("Anything"): Value
    ));
    let of = |name: &str| schema["properties"][name].clone();
    assert_eq!(of("a"), json!({}));
    assert_eq!(of("b"), json!({}));
    assert_eq!(of("c"), json!({"type": "array", "items": {}}));
    assert_eq!(
        of("d"),
        json!({"type": "object", "additionalProperties": true})
    );
    assert_eq!(of("e")["properties"]["any"], json!({}));
    assert_eq!(of("f"), json!({"description": "Anything"}));
    assert_eq!(schema["required"], json!(["a", "c", "d", "e", "f"]));
}

#[test]
fn an_option_is_not_required_and_has_the_type_of_its_value() {
    let schema = input(tool!(
        a: Option<u32>, b: Option<Inner>, c: Option<Vec<String>>, d: Vec<Option<Inner>>, e: Option<Plain>,
        f: Option<Documented>, g: Option<WithData>, h: HashMap<String, Option<u8>>, j: HashMap<u8, Option<u8>>, i: Option<Option<bool>>
    ));
    let of = |name: &str| schema["properties"][name].clone();
    assert_eq!(schema["required"], json!(["d", "h", "j"]));
    assert_eq!(of("a"), json!({"type": "integer", "minimum": 0}));
    assert_eq!(of("b")["type"], "object");
    assert_eq!(of("b")["required"], json!(["x", "any"]));
    assert_eq!(
        of("b")["properties"]["note"],
        json!({"type": "string", "description": "Comment"})
    );
    assert_eq!(
        of("c"),
        json!({"type": "array", "items": {"type": "string"}})
    );
    assert_eq!(of("d")["items"]["type"], "object");
    assert_eq!(
        of("e"),
        json!({"type": "string", "enum": ["first-one", "second"]})
    );
    assert_eq!(of("f")["type"], "string");
    assert_eq!(of("f")["enum"], json!(["Normal", "quiet", "Loud"]));
    assert_eq!(of("h")["additionalProperties"]["type"], "integer");
    assert_eq!(of("i"), json!({"type": "boolean"}));
    assert_eq!(
        of("j")["patternProperties"]
            .as_object()
            .unwrap()
            .values()
            .next()
            .unwrap()["type"],
        "integer"
    );
}

#[test]
fn a_unit_enum_is_one_list_of_words_with_its_docs_in_the_description() {
    let schema = input(tool!(a: Plain, b: Documented, c.description("How noisy"): Documented));
    let of = |name: &str| schema["properties"][name].clone();
    assert_eq!(
        of("a"),
        json!({"type": "string", "enum": ["first-one", "second"]})
    );
    let words = of("b")["enum"].clone();
    let mut sorted: Vec<_> = words
        .as_array()
        .unwrap()
        .iter()
        .map(|word| word.as_str().unwrap())
        .collect();
    sorted.sort_unstable();
    assert_eq!(sorted, ["Loud", "Normal", "quiet"]);
    assert_eq!(of("b")["type"], "string");
    assert_eq!(
        of("b")["description"],
        "How loud.\n\n- `quiet`: Not at all\n- `Loud`: Very"
    );
    assert_eq!(
        of("c")["description"],
        "How noisy\n\n- `quiet`: Not at all\n- `Loud`: Very"
    );
}

#[test]
fn an_enum_with_data_and_enum_keys_have_plain_parts() {
    let schema =
        input(tool!(a: WithData, b: BTreeMap<String, WithData>, c: HashMap<Documented, u8>));
    let a = &schema["properties"]["a"];
    assert!(a["oneOf"].is_array() || a["anyOf"].is_array(), "{a}");
    assert_eq!(schema["properties"]["c"]["type"], "object");
}

#[test]
fn definitions_are_inlined_and_the_parameters_own_description_wins() {
    let schema = input(tool!(
        meta.description("Where"): Inner, opt: Option<Inner>, list: Vec<Inner>
    ));
    assert!(!schema.to_string().contains("$ref") && schema.get("$defs").is_none());
    let of = |name: &str| schema["properties"][name].clone();
    assert_eq!(of("meta")["description"], "Where");
    assert_eq!(of("opt")["description"], "A point in space.");
    assert_eq!(of("list")["items"]["type"], "object");
    assert_eq!(
        of("meta")["properties"]["x"],
        json!({"type": "integer", "description": "Left to right"})
    );
}

#[test]
fn recursion_stays_a_local_reference_below_the_root() {
    for schema in [
        input(tool!(tree: Node)),
        input(tool!(all: Args<Node>)),
        input(tool!(many: Vec<Node>)),
    ] {
        assert_eq!(schema["$defs"].as_object().unwrap().len(), 1, "{schema}");
        let node = &schema["$defs"]["Node"];
        assert_eq!(
            node["properties"]["children"]["items"],
            json!({"$ref": "#/$defs/Node"})
        );
        assert_eq!(node["properties"]["next"], json!({"$ref": "#/$defs/Node"}));
    }
    assert_eq!(
        input(tool!(tree: Node))["properties"]["tree"]["type"],
        "object"
    );
    assert_eq!(
        input(tool!(tree: Option<Node>))["properties"]["tree"]["type"],
        "object"
    );
}

#[test]
fn arrays_and_tuples_have_object_items() {
    let schema = input(
        tool!(a: (u8, String), b: [f64; 2], c: Vec<Vec<Value>>, d: std::collections::HashSet<char>),
    );
    let of = |name: &str| schema["properties"][name].clone();
    assert_eq!(of("a")["items"], json!({}));
    assert_eq!(of("a")["prefixItems"][1], json!({"type": "string"}));
    assert_eq!(of("b")["items"], json!({"type": "number"}));
    assert_eq!(
        of("c"),
        json!({"type": "array", "items": {"type": "array", "items": {}}})
    );
    assert_eq!(of("d")["items"]["type"], "string");
}

#[test]
fn tagged_and_flattened_enums_become_one_object() {
    #[derive(Deserialize, JsonSchema)]
    #[serde(tag = "kind", rename_all = "lowercase")]
    #[allow(dead_code, reason = "only described")]
    enum Tagged {
        Read {
            path: String,
        },
        /// Replaces a file
        Write {
            path: String,
            text: String,
            mode: Option<u16>,
        },
        /// Ends it all
        Stop,
    }
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "only described")]
    struct Flat {
        user: String,
        #[serde(flatten)]
        what: Tagged,
    }
    #[derive(Deserialize, JsonSchema)]
    #[serde(untagged)]
    #[allow(dead_code, reason = "only described")]
    enum Untagged {
        Text { value: String },
        Count { value: u8, unit: String },
    }
    let tagged = input(tool!(all: Args<Tagged>));
    assert_eq!(
        tagged["properties"]["kind"],
        json!({"type": "string", "enum": ["read", "write", "stop"],
               "description": "- `write`: Replaces a file\n- `stop`: Ends it all"})
    );
    assert_eq!(tagged["properties"]["path"], json!({"type": "string"}));
    assert_eq!(tagged["properties"]["mode"]["type"], "integer");
    assert_eq!(tagged["required"], json!(["kind"]));
    let flat = input(tool!(all: Args<Flat>));
    assert_eq!(flat["required"], json!(["user", "kind"]));
    assert_eq!(flat["properties"].as_object().unwrap().len(), 5);
    let untagged = input(tool!(all: Args<Untagged>));
    assert_eq!(untagged["required"], json!(["value"]));
    assert_eq!(
        untagged["properties"]["value"]["anyOf"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}
