use schemars::JsonSchema;
use serde::Deserialize;

use super::*;
use crate::context::Context;
use crate::tool::error::ToolError;
use crate::tool::extract::{Args, FromContext, State};
use crate::tool::json::Json;
use crate::tool::param::Param;
use crate::tool::schema::tests::{Documented, Inner, Node, Plain, WithData, assert_root, input};
use crate::tool::spec::Number;
use crate::tool::tests::tool;

fn refusal((spec, fill): (&'static ToolSpec, fn(&mut Describe))) -> String {
    let text = describe(spec, fill).map(|_| ()).unwrap_err();
    text.strip_prefix("tool `probe` (here.rs:7): ")
        .expect(&text)
        .to_owned()
}

fn output<T: IntoOutput>() -> Option<Value> {
    static SPEC: ToolSpec = ToolSpec::new("probe", "Probes.", &[], "here.rs", 7);
    let (def, _) = describe(&SPEC, Describe::output::<T>).unwrap();
    let schema = def
        .output_schema
        .map(|raw| serde_json::from_str(raw.get()).unwrap());
    if let Some(schema) = &schema {
        assert_root(schema, Side::Output);
    }
    schema
}

#[test]
fn what_arg_says_is_merged_into_the_property() {
    let schema = input(tool!(
        n.min(Number::Int(1)).max(Number::Int(10)).has_default().default_json("3").example_json("4"): u32,
        loose.min(Number::Int(-5)).max(Number::Int(300)): u8,
        f.max(Number::Float(0.5)): Option<f32>,
        s.min_len(1).max_len(9): String,
        v.min_items(1).max_items(2): Option<Vec<String>>,
    ));
    let of = |name: &str| schema["properties"][name].clone();
    assert_eq!(
        of("n"),
        json!({"type": "integer", "minimum": 1, "maximum": 10, "default": 3, "examples": [4]})
    );
    assert_eq!(
        of("loose"),
        json!({"type": "integer", "minimum": 0, "maximum": 255})
    );
    assert_eq!(of("f"), json!({"type": "number", "maximum": 0.5}));
    assert_eq!(
        of("s"),
        json!({"type": "string", "minLength": 1, "maxLength": 9})
    );
    assert_eq!(
        of("v"),
        json!({"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 2})
    );
    assert_eq!(schema["required"], json!(["loose", "s"]));
}

#[test]
fn args_has_its_types_own_schema() {
    /// Documented as a type.
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "only described")]
    struct Search {
        query: String,
        #[serde(default)]
        limit: u8,
    }
    assert_eq!(
        input(tool!(all: Args<Search>)),
        json!({
            "type": "object",
            "properties": {
                "query": {"type": "string"},
                "limit": {"type": "integer", "minimum": 0, "maximum": 255, "default": 0},
            },
            "required": ["query"],
        })
    );
    assert_eq!(
        input(tool!(all: Args<serde_json::Map<String, Value>>)),
        json!({"type": "object", "additionalProperties": true, "properties": {}})
    );
}

#[test]
fn args_of_anything_but_an_object_is_refused() {
    for text in [
        refusal(tool!(all: Args<String>)),
        refusal(tool!(all: Args<Value>)),
        refusal(tool!(all: Args<Vec<Inner>>)),
        refusal(tool!(all: Args<Plain>)),
        refusal(tool!(all: Args<WithData>)),
    ] {
        assert!(
            text.starts_with("the type inside `Args` may be something else than an object"),
            "{text}"
        );
    }
}

#[test]
fn an_argument_beside_args_is_refused() {
    let text = refusal(tool!(all: Args<Inner>, more: u8));
    assert_eq!(
        text,
        "`Args` takes all arguments, so `more` cannot stand beside it; make it a field of the type inside `Args`"
    );
}

#[test]
fn two_arguments_of_one_name_are_refused() {
    static TWICE: &[ParamSpec] = &[ParamSpec::new("a"), ParamSpec::new("a")];
    static SPEC: ToolSpec = ToolSpec::new("probe", "", TWICE, "here.rs", 7);
    let text = refusal((&SPEC, |d| {
        <u8 as Param<_>>::describe(&TWICE[0], d);
        <u8 as Param<_>>::describe(&TWICE[1], d);
    }));
    assert_eq!(
        text,
        "two arguments are named `a`; rename one with `#[arg(rename = \"..\")]`"
    );
}

#[test]
fn keys_that_do_not_fit_their_parameter_are_refused() {
    assert_eq!(
        refusal(tool!(s.min(Number::Int(1)): String)),
        "`s`: `min` and `max` bound a number, which this is not"
    );
    assert_eq!(
        refusal(tool!(n.min_len(1): u8)),
        "`n`: `min_len` and `max_len` bound a string, which this is not"
    );
    assert_eq!(
        refusal(tool!(n.max_items(1): u8)),
        "`n`: `min_items` and `max_items` bound an array, which this is not"
    );
    assert_eq!(
        refusal(tool!(n.has_default().default_json("0").min(Number::Int(1)): u8)),
        "`n`: its default must be at least 1, got 0"
    );
    assert!(refusal(tool!(ctx.has_default(): Context)).contains("is injected"));
    assert!(refusal(tool!(all.min_len(1): Args<Inner>)).contains("inside `Args`"));
}

#[test]
fn bounds_that_no_value_of_the_type_meets_are_refused() {
    assert_eq!(
        refusal(tool!(n.min(Number::Int(300)): u8)),
        "`n`: no value is at least 300 and at most 255, which is its type's bound or its own"
    );
    assert!(refusal(tool!(n.max(Number::Int(-1)): u32)).starts_with("`n`: no value is"));
    assert!(refusal(tool!(v.min_items(5): [u8; 4])).starts_with("`v`: no value is"));
    let schema = input(tool!(v.min_items(1).max_items(9): [u8; 4], c.max_len(5): char));
    assert_eq!(schema["properties"]["v"]["minItems"], 4);
    assert_eq!(schema["properties"]["v"]["maxItems"], 4);
    assert_eq!(schema["properties"]["c"]["maxLength"], 1);
}

#[test]
fn an_example_is_a_value_of_its_type_within_its_bounds() {
    assert_eq!(
        refusal(tool!(n.example_json("\"abc\""): u32)),
        "`n`: its example is no value for it: invalid type: string \"abc\", expected u32"
    );
    assert_eq!(
        refusal(tool!(n.max(Number::Int(3)).example_json("4"): u32)),
        "`n`: its example must be at most 3, got 4"
    );
}

#[test]
fn a_default_that_json_spells_otherwise_is_not_told() {
    let schema = input(tool!(level.has_default().default_json("\"fast\""): Plain));
    assert_eq!(schema["properties"]["level"].get("default"), None);
    assert_eq!(schema.get("required"), None);
}

#[test]
fn a_handwritten_schema_goes_out_as_it_is_on_one_line() {
    static SPEC: ToolSpec = ToolSpec::new("probe", "", &[], "here.rs", 7)
        .input_schema("{\n  \"$schema\": \"x\",\n  \"type\": \"object\", \"anyOf\": [true]}")
        .output_schema("{\"type\": \"object\"}");
    let (def, _) = describe(&SPEC, |_| {}).unwrap();
    assert_eq!(
        def.input_schema.get(),
        r#"{"$schema":"x","type":"object","anyOf":[true]}"#
    );
    assert_eq!(def.output_schema.unwrap().get(), r#"{"type":"object"}"#);
    for (schema, why) in [
        ("{", "`input_schema` is no JSON object"),
        ("true", "`input_schema` is no JSON object"),
        ("{}", "`input_schema` must have"),
        (r#"{"type":"array"}"#, "`input_schema` must have"),
    ] {
        let spec = Box::leak(Box::new(
            ToolSpec::new("probe", "", &[], "here.rs", 7).input_schema(schema),
        ));
        assert!(refusal((spec, |_| {})).starts_with(why), "{schema}");
    }
}

#[test]
fn unknown_arguments_that_are_allowed_leave_the_object_open() {
    static SPEC: ToolSpec = ToolSpec::new("probe", "", &[], "here.rs", 7).allow_unknown(true);
    assert_eq!(
        input((&SPEC, |_| {})),
        json!({"type": "object", "properties": {}})
    );
}

#[test]
fn requirements_are_collected() {
    let (spec, fill) = tool!(db: State<u8>, token: tokio_util::sync::CancellationToken, n: u8);
    let (def, requirements) = describe(spec, fill).unwrap();
    assert_eq!(requirements.states.len(), 1);
    assert!(requirements.cooperative);
    assert_eq!((&*def.name, &*def.description), ("probe", "Probes."));
}

#[test]
fn only_structured_results_have_a_schema() {
    assert_eq!(output::<()>(), None);
    assert_eq!(output::<String>(), None);
    assert_eq!(output::<i32>(), None);
    assert_eq!(output::<Option<Json<Inner>>>(), None);
    let inner = output::<Json<Inner>>().unwrap();
    assert_eq!(output::<Result<Json<Inner>, String>>().unwrap(), inner);
    assert_eq!(
        output::<(Json<Inner>, crate::model::content::Image)>().unwrap(),
        inner
    );
}

#[test]
fn an_output_schema_admits_all_that_is_serialised() {
    let inner = output::<Json<Inner>>().unwrap();
    assert_eq!(
        inner["required"],
        json!(["x", "note", "any"]),
        "the serialize contract"
    );
    assert_eq!(
        inner["properties"]["note"]["type"],
        json!(["string", "null"])
    );
    assert_eq!(inner["properties"]["any"], json!({}));
    let float = output::<Json<f64>>().unwrap();
    assert_eq!(
        float["properties"]["result"],
        json!({"type": ["number", "null"]}),
        "NaN is written as null"
    );
}

#[test]
fn an_output_that_is_no_object_is_wrapped() {
    let wrapped = |schema: Option<Value>| {
        let mut schema = schema.unwrap();
        assert_eq!(schema["required"], json!(["result"]));
        schema["properties"]["result"].take()
    };
    assert_eq!(wrapped(output::<Json<i32>>()), json!({"type": "integer"}));
    assert_eq!(wrapped(output::<Json<Value>>()), json!({}));
    assert_eq!(wrapped(output::<Json<Vec<u8>>>())["type"], "array");
    assert_eq!(
        wrapped(output::<Json<Plain>>()),
        json!({"type": "string", "enum": ["first-one", "second"]})
    );
    assert_eq!(wrapped(output::<Json<Documented>>())["type"], "string");
    assert_eq!(wrapped(output::<Json<()>>()), json!({"type": "null"}));
    assert!(
        wrapped(output::<Json<Option<Inner>>>())
            .to_string()
            .contains("null")
    );
    assert!(wrapped(output::<Json<WithData>>()).is_object());
    assert!(output::<Json<Node>>().unwrap()["$defs"]["Node"].is_object());
    assert!(wrapped(output::<Json<Vec<Node>>>())["items"].is_object());
}

#[test]
fn an_output_schema_that_is_no_plain_object_is_refused() {
    struct Odd;
    impl IntoOutput for Odd {
        fn into_output(self) -> crate::tool::Output {
            ().into_output()
        }
        fn output_schema(generator: &mut SchemaGenerator) -> Option<Schema> {
            Some(generator.subschema_for::<u8>())
        }
    }
    static SPEC: ToolSpec = ToolSpec::new("probe", "", &[], "here.rs", 7);
    assert!(
        refusal((&SPEC, Describe::output::<Odd>))
            .starts_with("the output schema is no plain object")
    );
}

#[test]
fn a_header_stands_in_the_property_and_its_type_is_checked() {
    let (spec, fill) = tool!(region.header("Region"): Option<String>, n.header("N"): u32);
    let (def, _) = describe(spec, fill).unwrap();
    let headers: Vec<_> = def.mirrored.iter().map(|one| &*one.header).collect();
    assert_eq!(headers, ["mcp-param-region", "mcp-param-n"]);
    let schema: Value = serde_json::from_str(def.input_schema.get()).unwrap();
    let region = json!({"type": "string", "x-mcp-header": "Region"});
    assert_eq!(schema["properties"]["region"], region);
    let text = refusal(tool!(list.header("List"): Vec<String>));
    assert!(
        text.contains("`list` cannot be repeated in a header"),
        "{text}"
    );
    let text = refusal(tool!(db.header("Db"): State<u8>));
    assert!(text.contains("the parameter is injected"), "{text}");
}

#[test]
fn a_field_inside_args_may_have_a_header_too() {
    #[derive(Deserialize, JsonSchema)]
    struct Place {
        #[schemars(extend("x-mcp-header" = "Region"))]
        #[expect(dead_code, reason = "only described")]
        region: Option<String>,
    }
    #[derive(Deserialize, JsonSchema)]
    struct All {
        #[expect(dead_code, reason = "only described")]
        place: Place,
    }
    #[derive(Deserialize, JsonSchema)]
    struct Many {
        #[expect(dead_code, reason = "only described")]
        places: Vec<Place>,
    }
    let (spec, fill) = tool!(all: Args<All>);
    let (def, _) = describe(spec, fill).unwrap();
    assert_eq!(def.mirrored[0].path, ["place", "region"]);
    let text = refusal(tool!(all: Args<Many>));
    assert!(text.contains("stands where no client reads it"), "{text}");
}

#[test]
fn icons_and_meta_are_read_and_checked() {
    fn described(spec: ToolSpec) -> Result<ToolDef, String> {
        describe(Box::leak(Box::new(spec)), |_| {}).map(|(def, _)| def)
    }
    let spec = ToolSpec::new("probe", "Probes.", &[], "here.rs", 7);
    let def = described(spec.icons("https://x.test/a.png").meta("{\"a\": 1}")).unwrap();
    assert_eq!(
        def.icons.unwrap().get(),
        r#"[{"src":"https://x.test/a.png"}]"#
    );
    assert_eq!(def.meta.unwrap().get(), r#"{"a":1}"#);
    for icons in [
        "[",
        "http://x.test/a.png",
        "[{}]",
        r#"[{"src":"file:///a"}]"#,
        "[7]",
    ] {
        let spec = ToolSpec::new("probe", "Probes.", &[], "here.rs", 7);
        let text = described(spec.icons(icons)).unwrap_err();
        assert!(text.contains("`icons`"), "{icons}: {text}");
    }
    let spec = ToolSpec::new("probe", "Probes.", &[], "here.rs", 7);
    let text = described(spec.meta("[]")).unwrap_err();
    assert!(text.contains("`meta` must be a JSON object"), "{text}");
}

#[test]
fn an_inline_type_that_passes_for_another_is_written_out_once() {
    #[derive(Deserialize)]
    #[serde(transparent)]
    #[allow(dead_code, reason = "only described")]
    struct Alias(Node);
    impl JsonSchema for Alias {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            Node::schema_name()
        }
        fn schema_id() -> std::borrow::Cow<'static, str> {
            Node::schema_id()
        }
        fn inline_schema() -> bool {
            true
        }
        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            Node::json_schema(generator)
        }
    }
    let property = |schema: Value| schema["properties"]["node"].clone();
    let alias = property(input(tool!(node: Alias)));
    assert_eq!(alias, property(input(tool!(node: Node))));
}

#[test]
fn an_extractor_that_makes_the_requirements_anew_takes_nothing_from_a_schema() {
    struct Greedy;
    impl FromContext for Greedy {
        fn from_context(_: &Context) -> Result<Self, ToolError> {
            Ok(Self)
        }
        fn requires(requirements: &mut Requirements) {
            *requirements = Requirements::default();
        }
    }
    let schema = input(tool!(node: Node, greedy: Greedy));
    assert!(schema["$defs"]["Node"].is_object());
}
