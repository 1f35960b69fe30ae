use super::*;

#[test]
fn nothing_can_be_elicited_before_2025_06_18() {
    let fault = expressible(&ask(Form::new()), Revision::V2025_03_26);
    assert_eq!(
        fault,
        Err("the client speaks 2025-03-26, which has no questions to the user; they came with 2025-06-18".into())
    );
    assert_eq!(expressible(&ask(Form::new()), OLD), Ok(()));
}

#[test]
fn lists_urls_and_tools_in_sampling_came_with_2025_11_25() {
    let list = ask(Form::new().field(Field::choices("c", ["a"])));
    for ask in [list, url(), sample(json!({"tools": []}))] {
        assert!(expressible(&ask, OLD).is_err(), "{ask:?}");
        assert_eq!(expressible(&ask, NEW), Ok(()));
        assert_eq!(expressible(&ask, MODERN), Ok(()));
    }
    for ask in [sample(json!({"messages": []})), InputRequest::Roots] {
        assert_eq!(expressible(&ask, Revision::V2025_03_26), Ok(()));
    }
}

#[test]
fn a_form_that_cannot_be_shown_is_refused_before_it_is_sent() {
    let twice = ask(Form::new().field(Field::text("a")).field(Field::text("a")));
    assert_eq!(
        expressible(&twice, MODERN),
        Err("two fields are named `a`".into())
    );
}
