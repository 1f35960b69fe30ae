use std::time::Duration;

use serde_json::json;

use crate::testing::{ErrorReply, Reply, context};
use crate::{Answer, AskError, CancelReason, Capability, LogLevel, Principal};

#[tokio::test]
async fn what_a_function_reports_is_recorded_as_it_was_said() {
    let call = context();
    let ctx = call.context();
    for step in [1, 1, 2] {
        ctx.progress(step, 2, "step");
    }
    ctx.status("thinking");
    ctx.log(LogLevel::Warning, "odd");
    let steps: Vec<_> = call.progress().iter().map(|step| step.done).collect();
    assert_eq!(steps, [1.0, 1.0, 2.0]);
    assert_eq!(call.progress()[0].total, Some(2.0));
    assert_eq!(call.statuses(), ["thinking"]);
    assert_eq!(call.logs(), [(LogLevel::Warning, "odd".to_owned())]);
}

#[tokio::test]
async fn questions_are_answered_from_the_script_by_key_and_in_order() {
    let call = context()
        .reply_to("size", Reply::Accept(json!({ "value": "large" })))
        .decline()
        .dismiss();
    let ctx = call.context();
    assert!(!ctx.confirm("Sure?").await.unwrap());
    let size = ctx.choose("Which?", ["small", "large"]).key("size").await;
    assert_eq!(size, Ok(Answer::Accepted("large".to_owned())));
    assert!(!ctx.confirm("Still sure?").await.unwrap());
    let keys: Vec<_> = call
        .questions()
        .into_iter()
        .map(|asked| asked.key)
        .collect();
    let key = |key: &str| Some(key.to_owned());
    assert_eq!(keys, [key("confirm"), key("size"), key("confirm-2")]);
}

#[tokio::test]
async fn an_answer_that_does_not_fit_is_an_error_and_so_is_a_client_that_refuses() {
    let call = context()
        .accept(json!({ "value": "huge" }))
        .reply(Reply::Error(ErrorReply::new(-32601, "what?")))
        .reply(Reply::Error(ErrorReply::new(-32603, "broken")));
    let ctx = call.context();
    let choose = || ctx.choose("Which?", ["small", "large"]);
    assert!(matches!(choose().await, Err(AskError::Invalid(_))));
    let unsupported = AskError::Unsupported(Capability::Elicitation);
    assert_eq!(choose().await, Err(unsupported));
    assert!(matches!(choose().await, Err(AskError::Invalid(why)) if why.contains("broken")));
}

#[tokio::test]
async fn a_client_that_lacks_a_capability_is_not_asked() {
    let call = context().lacking(Capability::Elicitation);
    let ctx = call.context();
    assert!(!ctx.supports(Capability::Elicitation) && ctx.supports(Capability::Roots));
    let asked = ctx.confirm("Sure?").await;
    assert_eq!(asked, Err(AskError::Unsupported(Capability::Elicitation)));
    assert_eq!(call.questions(), []);
}

#[tokio::test]
async fn a_form_that_no_client_could_show_is_not_asked() {
    use crate::form::{Field, Form};
    let call = context();
    let twice = Form::new().field(Field::text("a")).field(Field::text("a"));
    let asked = call.context().elicit_form("Twice?", twice).await;
    assert!(
        matches!(asked, Err(AskError::Inexpressible(_))),
        "{asked:?}"
    );
    assert_eq!(call.questions(), []);
}

#[tokio::test]
async fn a_page_knows_the_id_in_its_address() {
    let call = context().accept(json!(null));
    let page = call
        .context()
        .elicit_url("Pay", |id| format!("https://example.com/{id}"));
    let paid = std::future::ready(page.id().to_owned());
    let id = page.until(paid).await.unwrap().accepted().unwrap();
    let url = format!("https://example.com/{id}");
    assert_eq!(call.questions()[0].params["url"], url);
}

#[tokio::test(start_paused = true)]
async fn a_question_nobody_answers_times_out() {
    let call = context().reply(Reply::Never);
    let asked = call
        .context()
        .confirm("Sure?")
        .timeout(Duration::from_secs(9));
    assert_eq!(asked.await, Err(AskError::TimedOut));
}

#[tokio::test]
async fn cancelling_ends_the_open_question_and_all_later_ones() {
    let call = context().reply(Reply::Never);
    let ctx = call.context();
    let (asked, ()) = tokio::join!(ctx.confirm("Sure?").into_future(), async {
        call.cancel(CancelReason::Shutdown);
    });
    assert_eq!(asked, Err(AskError::Cancelled));
    assert_eq!(ctx.cancel_reason(), Some(CancelReason::Shutdown));
    assert!(ctx.check().is_err());
    assert_eq!(ctx.confirm("Sure?").await, Err(AskError::Cancelled));
}

#[tokio::test]
async fn the_client_may_cancel_at_a_question() {
    let call = context().reply(Reply::CancelCall);
    let ctx = call.context();
    assert_eq!(ctx.confirm("Sure?").await, Err(AskError::Cancelled));
    assert_eq!(ctx.cancel_reason(), Some(CancelReason::Requested));
}

#[test]
fn a_blocking_function_can_be_called_outside_any_runtime() {
    let call = context().accept(json!({}));
    assert!(call.context().confirm("Sure?").wait().unwrap());
}

#[tokio::test]
async fn extractors_find_what_the_call_carries() {
    let caller = Principal::new("https://issuer.example", "ada");
    let call = context()
        .state(7_u8)
        .extension('x')
        .principal(caller.clone());
    let ctx = call.context();
    assert_eq!(ctx.state::<u8>().as_deref(), Some(&7));
    assert_eq!(ctx.principal(), Some(&caller));
    let extension = <crate::Extension<char> as crate::FromContext>::from_context(&ctx);
    assert_eq!(extension.unwrap().0, 'x');
}

#[tokio::test]
#[should_panic(expected = "replies left over: [(None, Decline)]")]
async fn a_reply_left_over_fails_the_test() {
    let call = context().decline().decline();
    let _ = call.context().confirm("Sure?").await;
}

#[tokio::test]
#[should_panic(expected = "the script has no answer to")]
async fn a_question_without_a_reply_fails_the_test() {
    let call = context();
    let _ = call.context().confirm("Sure?").await;
}

#[tokio::test]
#[should_panic(expected = "the answer fills in `confrim`, which the form lacks; it has `confirm`")]
async fn an_answer_with_a_field_that_the_form_lacks_fails_the_test() {
    let call = context().accept(json!({ "confrim": true }));
    let _ = call.context().confirm("Sure?").await;
}
