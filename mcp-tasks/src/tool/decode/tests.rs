mod second_try;

use std::collections::HashMap;
use std::num::NonZeroU32;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::context::Context;
use crate::tool::extract::{Args, State};
use crate::tool::param::Param;
use crate::tool::spec::{Number, ParamSpec, ToolSpec};
use crate::tool::tests::{take, with_call};

#[derive(Debug, Deserialize, JsonSchema, PartialEq)]
struct Meta {
    size: u32,
    tags: Option<Vec<String>>,
}

#[derive(Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Level {
    #[serde(alias = "lo")]
    Low,
    High,
}

/// The one line below the heading.
fn fault<T: std::fmt::Debug>(outcome: Result<T, String>) -> String {
    let text = outcome.unwrap_err();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "Invalid arguments for `probe`:");
    assert_eq!(lines.len(), 2, "{text}");
    lines[1].to_owned()
}

#[test]
fn arguments_come_by_name_in_any_order() {
    assert_eq!(
        take!(r#"{"b": [1, 2], "a": "x", "c": {"size": 3}}"#, a: String, b: Vec<u8>, c: Meta),
        Ok((
            "x".to_owned(),
            vec![1, 2],
            Meta {
                size: 3,
                tags: None
            }
        ))
    );
    assert_eq!(take!(r#"{"\u0061": 1}"#, a: u8), Ok(1));
}

#[test]
fn all_faults_are_reported_together_and_each_names_its_argument() {
    let text = take!(
        r#"{"count": "x", "extra": 1, "level": "mid"}"#,
        env: String, count: u32, level: Level, on: Option<bool>
    )
    .unwrap_err();
    assert_eq!(
        text,
        "Invalid arguments for `probe`:\n\
         - unknown argument `extra` (known: `env`, `count`, `level`, `on`)\n\
         - `env`: missing, expected a string\n\
         - `count`: invalid type: string \"x\", expected u32\n\
         - `level`: unknown variant `mid`, expected one of `lo`, `low`, `high`"
    );
}

#[test]
fn a_fault_says_path_expectation_and_what_came() {
    assert_eq!(
        fault(take!(r#"{"m": {"size": 1, "tags": ["a", 5]}}"#, m: Meta)),
        "- `m.tags[1]`: invalid type: integer `5`, expected a string"
    );
    assert_eq!(
        fault(take!(r#"{"m": {"tags": []}}"#, m: Meta)),
        "- `m`: missing field `size`"
    );
    assert_eq!(
        fault(take!(r#"{"m": [{"size": 1}, {"size": "big"}]}"#, m: Vec<Meta>)),
        "- `m[1].size`: invalid type: string \"big\", expected u32"
    );
    assert_eq!(
        fault(take!(r#"{"m": [{"size": 1}, {}]}"#, m: Vec<Meta>)),
        "- `m[1]`: missing field `size`"
    );
    assert_eq!(
        fault(take!(r#"{"m": 5}"#, m: Meta)),
        "- `m`: invalid type: integer `5`, expected an object"
    );
    assert_eq!(
        fault(take!(r#"{"m": {}}"#, m: Vec<u8>)),
        "- `m`: invalid type: object, expected an array"
    );
    assert_eq!(
        fault(take!("{\"m\": {\n  \"size\":\n -1}}", m: Meta)),
        "- `m.size`: invalid value: integer `-1`, expected u32"
    );
    assert_eq!(
        fault(take!(r#"{"n": 300}"#, n: u8)),
        "- `n`: invalid value: integer `300`, expected u8"
    );
    assert_eq!(
        fault(take!(r#"{"n": null}"#, n: u8)),
        "- `n`: invalid type: null, expected u8"
    );
    assert_eq!(
        fault(take!("{}", n: Level)),
        "- `n`: missing, expected one of `lo`, `low`, `high`"
    );
    assert_eq!(
        fault(take!("{}", m: Meta)),
        "- `m`: missing, expected an object"
    );
    assert!(
        fault(take!(r#"{"n": 0}"#, n: NonZeroU32)).starts_with("- `n`: invalid value: integer `0`")
    );
}

#[test]
fn a_fault_speaks_of_json_and_not_of_the_types_in_rust() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "only decoded")]
    enum Shape {
        Dot,
        Circle(u8),
        Box { side: u8 },
    }
    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(tag = "kind")]
    enum Tagged {
        Dot,
    }
    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(untagged)]
    #[allow(dead_code, reason = "only decoded")]
    enum Untagged {
        Number(u8),
    }
    let of = |fault: String| fault.strip_prefix("- `v").unwrap().to_owned();
    for (text, expected) in [
        (
            fault(take!("{}", v: Tagged)),
            "`: missing, expected an object",
        ),
        (fault(take!("{}", v: ())), "`: missing, expected null"),
        (
            fault(take!(r#"{"v": "Dot"}"#, v: Tagged)),
            "`: invalid type: string \"Dot\", expected an object",
        ),
        (
            fault(take!(r#"{"v": true}"#, v: Untagged)),
            "`: is none of the forms that the schema allows",
        ),
        (
            fault(take!(r#"{"v": 5}"#, v: Level)),
            "`: expected one of `lo`, `low`, `high`",
        ),
        (
            fault(take!(r#"{"v": [5]}"#, v: Vec<Shape>)),
            "[0]`: expected a variant's name, or an object with it as the only key",
        ),
        (
            fault(take!(r#"{"v": "Circle"}"#, v: Shape)),
            "`: invalid type: a name alone, expected an object with the name as its only key",
        ),
        (
            fault(take!(r#"{"v": [1]}"#, v: (u8, u8))),
            "`: invalid length 1, expected an array of 2 items",
        ),
        (
            fault(take!(r#"{"v": [1, 2, 3]}"#, v: (u8, u8))),
            "[2]`: one item more than expected",
        ),
        (
            fault(take!(r#"{"v": [1, 2, 3]}"#, v: [u8; 2])),
            "[2]`: one item more than expected",
        ),
        (
            fault(take!(r#"{"v": 1.5}"#, v: u128)),
            "`: expected a whole number that fits",
        ),
    ] {
        assert_eq!(of(text), expected);
    }
    assert!(take!(r#"{"v": {"Box": {"side": 1.0}}}"#, v: Shape).is_ok());
}

#[test]
fn absent_and_null_are_both_none() {
    for json in [r#"{"a": null, "b": null}"#, "{}"] {
        assert_eq!(
            take!(json, a: Option<u32>, b: Option<Meta>),
            Ok((None, None))
        );
    }
    assert_eq!(take!(r#"{"a": null}"#, a: Option<Value>), Ok(None));
    assert_eq!(take!(r#"{"a": null}"#, a: Value), Ok(Value::Null));
    assert_eq!(
        fault(take!("{}", a: Value)),
        "- `a`: missing, expected any valid JSON value"
    );
    assert_eq!(
        take!(r#"{"a": [null, {"size": 1}]}"#, a: Vec<Option<Meta>>)
            .unwrap()
            .len(),
        2
    );
}

#[test]
fn a_default_stands_in_for_what_is_missing_or_null() {
    assert_eq!(take!("{}", n.has_default(): u8 = 7), Ok(7));
    assert_eq!(take!(r#"{"n": null}"#, n.has_default(): u8 = 7), Ok(7));
    assert_eq!(take!(r#"{"n": 1}"#, n.has_default(): u8 = 7), Ok(1));
    assert_eq!(
        take!("{}", n.has_default(): Option<u8> = Some(7)),
        Ok(Some(7))
    );
    assert_eq!(
        take!(r#"{"n": null}"#, n.has_default(): Option<u8> = Some(7)),
        Ok(None)
    );
    assert!(take!(r#"{"n": "x"}"#, n.has_default(): u8 = 7).is_err());
}

#[test]
fn a_tool_without_arguments_takes_absent_null_and_empty() {
    static SPEC: ToolSpec = ToolSpec::new("probe", "", &[], "", 0);
    let unit = |json: Option<&str>| {
        with_call(json, |call| {
            call.faults(&SPEC)
                .none()
                .map_err(|faults| faults.text("probe"))
        })
    };
    for json in [None, Some("null"), Some("{}"), Some("{ }")] {
        assert_eq!(unit(json), Ok(()));
    }
    assert_eq!(
        fault(unit(Some(r#"{"x": 1}"#))),
        "- unknown argument `x` (the tool takes none)"
    );
    for json in ["[]", "1", "\"{}\"", "true"] {
        assert!(
            fault(unit(Some(json))).starts_with("- `arguments`: expected an object"),
            "{json}"
        );
    }
}

#[test]
fn an_unknown_argument_is_refused_with_the_nearest_name() {
    assert_eq!(
        fault(take!(r#"{"nmae": 1, "name": "x"}"#, name: String)),
        "- unknown argument `nmae`; did you mean `name`? (known: `name`)"
    );
    let many: HashMap<String, u8> = (0..100_000).map(|n| (format!("k{n}"), 0)).collect();
    let text = take!(&*json!(many).to_string(), a: Option<u8>).unwrap_err();
    assert!(
        text.ends_with("\n- and 99992 more unknown arguments"),
        "{text}"
    );
}

#[test]
fn an_injected_parameter_cannot_be_sent_as_an_argument() {
    let text = take!(r#"{"ctx": {}, "a": 1}"#, ctx: Context, a: u8)
        .map(|_| ())
        .unwrap_err();
    assert_eq!(
        text,
        "Invalid arguments for `probe`:\n- unknown argument `ctx` (known: `a`)"
    );
    assert!(take!(r#"{"a": 1}"#, ctx: Context, a: u8).is_ok());
}

#[test]
fn unknown_arguments_pass_where_the_tool_allows_them() {
    static SPEC: ToolSpec = ToolSpec::new("probe", "", &[], "", 0).allow_unknown(true);
    assert!(with_call(r#"{"x": 1}"#, |call| Ok(call.faults(&SPEC).none().is_ok())).unwrap());
}

#[test]
fn two_values_under_one_name_are_refused() {
    assert_eq!(
        fault(take!(r#"{"a": 1, "a": 2}"#, a: u8)),
        "- `a`: given more than once"
    );
}

#[test]
fn bounds_are_enforced_and_null_skips_them() {
    assert_eq!(
        fault(take!(r#"{"n": 11}"#, n.min(Number::Int(1)).max(Number::Int(10)): u32)),
        "- `n`: must be at most 10, got 11"
    );
    assert_eq!(take!(r#"{"n": 10.0}"#, n.max(Number::Int(10)): u32), Ok(10));
    assert!(take!(r#"{"n": 11.0}"#, n.max(Number::Int(10)): u32).is_err());
    assert_eq!(
        take!(r#"{"n": null}"#, n.min(Number::Int(1)): Option<u32>),
        Ok(None)
    );
    assert_eq!(take!("{}", n.min(Number::Int(1)): Option<u32>), Ok(None));
    assert_eq!(
        fault(take!(r#"{"s": "é"}"#, s.min_len(2): String)),
        "- `s`: must have at least 2 characters, got 1"
    );
    assert_eq!(
        fault(take!(r#"{"s": "[1,2,3]"}"#, s.max_items(2): Vec<u8>)),
        "- `s`: must have at most 2 items, got 3"
    );
}

#[test]
fn depth_and_size_do_no_harm() {
    let deep = format!(r#"{{"v": {}{}}}"#, "[".repeat(10_000), "]".repeat(10_000));
    assert_eq!(fault(take!(&*deep, v: Value)), "- `v`: nested too deep");
    assert_eq!(
        fault(take!(&*deep, v: u8)),
        "- `v`: invalid type: array, expected u8"
    );
    let text = take!(&*deep, w: Option<u8>).unwrap_err();
    assert!(text.contains("unknown argument `v`"));
    let huge = format!(r#"{{"n": 1{}}}"#, "0".repeat(400));
    assert_eq!(fault(take!(&*huge, n: f64)), "- `n`: number out of range");
    assert!(take!(r#"{"n": 340282366920938463463374607431768211455}"#, n: u128).is_ok());
    let long = json!({"n": "x".repeat(1_000_000)}).to_string();
    let text = take!(&*long, n: u8).unwrap_err();
    assert!(
        text.len() < 1000 && text.contains("(cut)"),
        "{}",
        text.len()
    );
}

#[test]
fn faults_never_exceed_their_cap() {
    let many: HashMap<String, u8> = (0..20_000).map(|n| (format!("{n}"), 0)).collect();
    let text = take!(&*json!({"m": many}).to_string(), m: HashMap<String, bool>).unwrap_err();
    assert!(text.len() <= 8 * 1024);
    let mut faults = super::Faults::default();
    for n in 0..1000 {
        faults.argument(&format!("a{n}"), &"ä".repeat(100));
    }
    let text = faults.none().unwrap_err().text("probe");
    assert!(text.len() <= 8 * 1024 && text.ends_with("(cut)"));
}

#[test]
fn args_takes_the_whole_object_by_its_own_rules() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Strict {
        n: u8,
        #[serde(default)]
        m: Option<Meta>,
    }
    let strict = |json: &str| take!(json, all: Args<Strict>).map(|Args(all)| all);
    assert_eq!(strict(r#"{"n": 3.0}"#).unwrap().n, 3);
    assert_eq!(
        strict(r#"{"n": 3, "m": {"size": 9}}"#)
            .unwrap()
            .m
            .unwrap()
            .size,
        9
    );
    assert!(
        fault(strict(r#"{"n": 1, "x": 2}"#))
            .starts_with("- `arguments`: unknown field `x`, expected `n` or `m`")
    );
    assert_eq!(fault(strict("{}")), "- `arguments`: missing field `n`");
    assert_eq!(
        fault(strict(r#"{"n": 1, "m": {"size": []}}"#)),
        "- `m.size`: invalid type: array, expected u32"
    );
    // What an injected parameter is called may be a field of the type.
    assert!(take!(r#"{"size": 1, "ctx": 2}"#, ctx: Context, all: Args<Meta>).is_ok());
    assert!(take!(r#"{"size": 1, "ctx": 2}"#, all: Args<Meta>, ctx: Context).is_ok());
    assert_eq!(
        take!(None, all: Args<serde_json::Map<String, Value>>)
            .unwrap()
            .0
            .len(),
        0
    );
}

#[test]
fn a_refused_injection_is_kept_beside_the_faults() {
    let faults = with_call("{}", |call| {
        static PARAMS: &[ParamSpec] = &[ParamSpec::new("db"), ParamSpec::new("n")];
        static SPEC: ToolSpec = ToolSpec::new("probe", "", PARAMS, "", 0);
        let mut faults = call.faults(&SPEC);
        assert!(<State<u8> as Param<_>>::take(&PARAMS[0], call, &mut faults, None).is_none());
        assert!(<u8 as Param<_>>::take(&PARAMS[1], call, &mut faults, None).is_none());
        Ok(faults.none().unwrap_err())
    })
    .unwrap();
    let text = faults.text("probe");
    assert!(text.ends_with("- `n`: missing, expected u8"), "{text}");
    assert!(faults.refused.is_some());
}
