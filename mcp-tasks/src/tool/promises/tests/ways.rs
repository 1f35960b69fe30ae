//! What would take for ever.

use serde_json::{Value, json};

use super::told;
use crate::tool::promises::check::Scope;

/// What `op` and `not` nest, so many times, and in the middle a name.
fn nested(times: usize, name: &str) -> Value {
    (0..times).fold(
        json!({ "op": "name", "name": name }),
        |inner, _| json!({ "op": "maybe", "not": inner }),
    )
}

#[test]
fn a_schema_that_refers_to_itself_is_not_tried_in_every_way_there_is() {
    let unary = |op: &str| {
        json!({
            "type": "object",
            "properties": { "not": { "$ref": "#/$defs/Filter" }, "op": { "const": op } },
            "required": ["op", "not"],
        })
    };
    let name = json!({
        "type": "object",
        "properties": { "name": { "type": "string", "pattern": "^a" }, "op": { "const": "name" } },
        "required": ["op", "name"],
    });
    for keyword in ["oneOf", "anyOf"] {
        let schema = json!({
            "type": "object",
            "properties": { "filter": { "$ref": "#/$defs/Filter" } },
            "$defs": { "Filter": { keyword: [unary("not"), unary("maybe"), name] } },
        });
        for scope in [Scope::Generated, Scope::Handwritten, Scope::Undecoded] {
            for times in [3, 60] {
                let filter = |name: &str| json!({ "filter": nested(times, name) });
                assert_eq!(told(scope, &schema, &filter("abc")), None, "{times}");
                let told = told(scope, &schema, &filter("xyz")).expect("it is wrong");
                let expected = match times {
                    3 => "- `filter`: is none of the forms that the schema allows",
                    _ => {
                        "- `arguments`: break the schema, too large or nested too deep to say where"
                    }
                };
                assert!(told.ends_with(expected), "{told}");
            }
        }
    }
}

#[test]
fn a_pattern_that_goes_back_and_forth_for_ever_is_given_up() {
    let schema = json!({
        "type": "object",
        "properties": { "v": { "items": { "pattern": "^(a|a)*\\1b" } } },
    });
    let texts: Vec<String> = (0..100).map(|n| format!("{}{n}", "a".repeat(40))).collect();
    let told = told(Scope::Handwritten, &schema, &json!({ "v": texts })).expect("it is refused");
    assert!(
        told.contains("takes too long to be matched with the schema's pattern"),
        "{told}"
    );
}
