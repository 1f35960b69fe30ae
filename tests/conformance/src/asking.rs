//! Tools that ask the client or its user. Sessions of 2025-11-25 get a request for it.

use mcp_tasks::form::{Field, Form};
use mcp_tasks::prelude::*;
use mcp_tasks::{SampleRequest, Tools};

pub(crate) fn tools() -> Tools {
    tools![
        test_sampling,
        test_elicitation,
        test_elicitation_sep1034_defaults,
        test_elicitation_sep1330_enums,
    ]
}

/// Puts a prompt to the client's model
#[mcp_tool]
async fn test_sampling(
    /// What to ask the model
    prompt: String,
    ctx: Context,
) -> Result<String, ToolError> {
    let answer = ctx.sample(SampleRequest::new(100).user(prompt)).await?;
    Ok(format!("LLM response: {}", answer.text()))
}

#[derive(Debug, ElicitForm)]
struct Account {
    /// User's response
    username: String,
    /// User's email address
    email: String,
}

/// Asks the user for an account
#[mcp_tool]
async fn test_elicitation(
    /// What the user reads
    message: String,
    ctx: Context,
) -> Result<String, ToolError> {
    let answer = ctx.elicit::<Account>(message).await?;
    let told = told(answer, |Account { username, email }| {
        format!("{username}, {email}")
    });
    Ok(format!("User response: {told}"))
}

#[derive(Debug, ElicitForm)]
struct Defaults {
    #[form(default = "John Doe")]
    name: String,
    #[form(default = 30)]
    age: i64,
    #[form(default = 95.5)]
    score: f64,
    #[form(default = Status::Active)]
    status: Status,
    #[form(default = true)]
    verified: bool,
}

#[derive(Debug, ElicitForm)]
enum Status {
    #[form(rename = "active")]
    Active,
    #[form(rename = "inactive")]
    Inactive,
    #[form(rename = "pending")]
    Pending,
}

/// Asks with a default for every kind of field
#[mcp_tool]
async fn test_elicitation_sep1034_defaults(ctx: Context) -> Result<String, ToolError> {
    let answer = ctx.elicit::<Defaults>("Please review the defaults").await?;
    let told = told(answer, |it| {
        let Defaults {
            name,
            age,
            score,
            status,
            verified,
        } = it;
        format!("{name}, {age}, {score}, {status:?}, {verified}")
    });
    Ok(format!("Elicitation completed: {told}"))
}

/// Asks for choices in every form that a schema of the protocol has for them
#[mcp_tool]
async fn test_elicitation_sep1330_enums(ctx: Context) -> Result<String, ToolError> {
    let titled = || {
        [
            ("value1", "First"),
            ("value2", "Second"),
            ("value3", "Third"),
        ]
    };
    let untitled = || ["option1", "option2", "option3"];
    let legacy = [("opt1", "One"), ("opt2", "Two"), ("opt3", "Three")];
    // The derive never writes `enumNames` for a client of this revision; a form made at run time may.
    let form = Form::new()
        .field(Field::choice("untitledSingle", untitled()))
        .field(Field::choice("titledSingle", titled()))
        .field(Field::choice("legacyEnum", legacy).enum_names())
        .field(Field::choices("untitledMulti", untitled()))
        .field(Field::choices("titledMulti", titled()));
    let answer = ctx.elicit_form("Please choose", form).await?;
    let told = told(answer, |content| format!("{content:?}"));
    Ok(format!("Elicitation completed: {told}"))
}

fn told<T>(answer: Answer<T>, content: impl FnOnce(T) -> String) -> String {
    match answer {
        Answer::Accepted(accepted) => format!("action=accept, content={}", content(accepted)),
        Answer::Declined => "action=decline".into(),
        Answer::Dismissed => "action=cancel".into(),
    }
}
