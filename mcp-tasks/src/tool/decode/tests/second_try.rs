//! What is read once more, in another spelling.

use super::*;

#[test]
fn whole_floats_are_integers_on_the_second_try() {
    assert_eq!(take!(r#"{"n": 30.0}"#, n: u8), Ok(30));
    assert_eq!(take!(r#"{"n": 3e1}"#, n: i64), Ok(30));
    assert_eq!(take!(r#"{"m": {"size": 30.0}}"#, m: Meta).unwrap().size, 30);
    assert_eq!(take!(r#"{"n": [1.0, 2]}"#, n: Vec<u32>), Ok(vec![1, 2]));
    assert_eq!(take!(r#"{"n": -0}"#, n: u8), Ok(0));
    assert_eq!(
        take!(r#"{"n": 9007199254740993.0}"#, n: u64),
        Ok(9_007_199_254_740_993),
        "not as a float would round it"
    );
    assert_eq!(
        take!(r#"{"n": 18446744073709551615.0}"#, n: u64),
        Ok(u64::MAX)
    );
    assert_eq!(take!(r#"{"n": 1e18}"#, n: i128), Ok(10_i128.pow(18)));
    assert_eq!(take!(r#"{"n": 30.0}"#, n: f64), Ok(30.0));
    assert_eq!(take!(r#"{"n": 30.0}"#, n: Value), Ok(json!(30.0)));
    assert_eq!(
        fault(take!(r#"{"n": 30.5}"#, n: u8)),
        "- `n`: invalid type: floating point `30.5`, expected u8"
    );
    assert_eq!(
        fault(take!(r#"{"n": 300.0}"#, n: u8)),
        "- `n`: invalid type: floating point `300.0`, expected u8",
        "the first error counts"
    );
}

#[test]
fn a_json_string_is_read_as_the_object_or_array_it_holds() {
    assert_eq!(take!(r#"{"m": "{\"size\": 4}"}"#, m: Meta).unwrap().size, 4);
    assert_eq!(take!(r#"{"m": " [1, 2.0] "}"#, m: Vec<u8>), Ok(vec![1, 2]));
    assert_eq!(
        take!(r#"{"m": "{\"size\": 4}"}"#, m: Option<Meta>)
            .unwrap()
            .unwrap()
            .size,
        4
    );
    assert_eq!(
        take!(r#"{"m": "{\"a\": 30.0}"}"#, m: HashMap<String, Value>).unwrap()["a"],
        json!(30.0)
    );
    let text = r#"{"size": 4}"#;
    assert_eq!(
        take!(&*json!({"m": text}).to_string(), m: String).unwrap(),
        text
    );
    assert_eq!(
        take!(&*json!({"m": text}).to_string(), m: Value).unwrap(),
        json!(text)
    );
    assert_eq!(
        fault(take!(r#"{"m": "{\"size\": true}"}"#, m: Meta)),
        "- `m`: invalid type: string \"{\\\"size\\\": true}\", expected an object"
    );
    assert!(
        take!(r#"{"m": "5"}"#, m: u8).is_err(),
        "a number in a string is not taken"
    );
    assert!(take!(r#"{"m": "{broken"}"#, m: Meta).is_err());
}
