use serde_json::{Map, Value, json};

use super::ElicitForm;
use crate::model::form::{Field, Form, Format};

#[derive(crate::ElicitForm, Debug, PartialEq)]
#[form(crate = crate)]
struct Everything {
    /// Where it goes
    ///
    /// Second paragraph
    #[form(format = "email", max_len = 80)]
    email: String,
    #[form(
        title = "Seats",
        description = "How many",
        min = 1,
        max = 12,
        default = 2
    )]
    seats: u8,
    #[form(min = -1.5, max = 4, default = 3)]
    score: f64,
    #[form(default)]
    agreed: bool,
    #[form(rename = "colour")]
    color: Option<Color>,
    #[form(min_items = 1, default = [Color::Green])]
    others: Vec<Color>,
    r#type: Option<String>,
    #[form(default = "none")]
    note: String,
}

/// Of the rainbow
#[derive(crate::ElicitForm, Debug, Clone, Copy, PartialEq)]
#[form(crate = crate, title = "Color")]
enum Color {
    #[form(title = "Deep red", rename = "red")]
    Red,
    Green,
}

#[derive(crate::ElicitForm, Debug, PartialEq)]
#[form(crate = crate)]
struct Nothing {}

#[derive(crate::ElicitForm, Debug, PartialEq)]
#[form(crate = crate)]
struct Unit;

#[derive(crate::ElicitForm, Debug, PartialEq)]
#[form(crate = crate)]
struct Widths {
    a: u8,
    b: i32,
    c: u64,
    d: i64,
    #[form(min = -5, max = 1000)]
    e: u8,
    #[form(default = 0.1)]
    f: f32,
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => panic!("{other} is not an object"),
    }
}

/// As the wire does it: first the form, then the type.
fn read<T: ElicitForm>(content: Value) -> Result<T, String> {
    T::from_content(T::form().check(object(content))?)
}

fn colors() -> [(&'static str, Option<&'static str>); 2] {
    [("red", Some("Deep red")), ("Green", None)]
}

fn items() -> Vec<crate::model::form::ChoiceItem> {
    colors()
        .into_iter()
        .map(|(value, title)| title.map_or(value.into(), |title| (value, title).into()))
        .collect()
}

#[test]
fn a_struct_describes_its_fields_in_order() {
    let of_the_rainbow = |field: Field| field.description("Of the rainbow").title("Color");
    let expected = Form::new()
        .field(
            Field::text("email")
                .description("Where it goes\n\nSecond paragraph")
                .format(Format::Email)
                .max_len(80),
        )
        .field(
            Field::integer("seats")
                .title("Seats")
                .description("How many")
                .min(1)
                .max(12)
                .default(2),
        )
        .field(Field::number("score").min(-1.5).max(4).default(3.0))
        .field(Field::boolean("agreed").default(false))
        .field(of_the_rainbow(
            Field::choice("colour", items()).optional().into(),
        ))
        .field(of_the_rainbow(
            Field::choices("others", items())
                .min_items(1)
                .default(["Green"])
                .into(),
        ))
        .field(Field::text("type").optional())
        .field(Field::text("note").default("none"));
    assert_eq!(Everything::form(), expected);
    assert_eq!(Everything::form().validate(), Ok(()));
}

#[test]
fn a_full_answer_becomes_the_struct() {
    let content = json!({
        "email": "a@b.c", "seats": 3.0, "score": 4, "agreed": true, "colour": "red", "others": ["Green", "red"],
        "type": "t", "note": "n",
    });
    let expected = Everything {
        email: "a@b.c".into(),
        seats: 3,
        score: 4.0,
        agreed: true,
        color: Some(Color::Red),
        others: vec![Color::Green, Color::Red],
        r#type: Some("t".into()),
        note: "n".into(),
    };
    assert_eq!(read(content), Ok(expected));
}

#[test]
fn what_is_missing_takes_its_default_or_is_none() {
    let expected = Everything {
        email: "a@b.c".into(),
        seats: 2,
        score: 3.0,
        agreed: false,
        color: None,
        others: vec![Color::Green],
        r#type: None,
        note: "none".into(),
    };
    assert_eq!(
        read(json!({"email": "a@b.c", "colour": null})),
        Ok(expected)
    );
}

#[test]
fn a_wrong_answer_names_every_field() {
    let fault =
        read::<Everything>(json!({"seats": 13, "colour": "Red"})).expect_err("three faults");
    assert_eq!(
        fault,
        "`email`: expected an email address (at most 80 characters), got nothing; \
         `seats`: expected a whole number (1 to 12), got 13; \
         `colour`: expected one of \"red\", \"Green\", got \"Red\""
    );
}

#[test]
fn content_the_form_has_not_seen_does_not_fit_either() {
    let fault = Widths::from_content(object(json!({"a": 256, "b": 1, "c": -1, "d": 1, "e": 1})));
    assert_eq!(
        fault,
        Err("`a` does not fit its field; `c` does not fit its field".into())
    );
}

#[test]
fn a_struct_without_fields_is_only_agreed_to() {
    assert_eq!(Nothing::form(), Form::new());
    assert_eq!(read(json!({})), Ok(Nothing {}));
    assert_eq!(read(json!({"x": 1})), Ok(Unit));
}

#[test]
fn an_enum_by_itself_is_one_field_named_value() {
    let choice = Field::choice("value", items())
        .title("Color")
        .description("Of the rainbow");
    assert_eq!(Color::form(), Form::new().field(choice));
    assert_eq!(read(json!({"value": "red"})), Ok(Color::Red));
    assert_eq!(read(json!({"value": "Green"})), Ok(Color::Green));
    assert!(read::<Color>(json!({})).is_err());
}

#[test]
fn bounds_are_those_of_the_type_unless_narrower() {
    let expected = Form::new()
        .field(Field::integer("a").min(0).max(255))
        .field(
            Field::integer("b")
                .min(i32::MIN.into())
                .max(i32::MAX.into()),
        )
        .field(Field::integer("c").min(0))
        .field(Field::integer("d"))
        .field(Field::integer("e").min(0).max(255))
        .field(Field::number("f").default(0.1));
    assert_eq!(Widths::form(), expected);
}
