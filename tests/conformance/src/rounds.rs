//! Questions of a call that is no task. A 2026-07-28 client gets them as a result and calls again with the answers;
//! the function waits in between as if nothing had happened.

use mcp_tasks::Capability;
use mcp_tasks::prelude::*;
use mcp_tasks::{SampleRequest, Tools};

pub(crate) fn tools() -> Tools {
    tools![
        test_input_required_result_elicitation,
        test_input_required_result_sampling,
        test_input_required_result_list_roots,
        test_input_required_result_request_state,
        test_input_required_result_multiple_inputs,
        test_input_required_result_multi_round,
        test_input_required_result_tampered_state,
        test_input_required_result_capabilities,
    ]
}

#[derive(Debug, ElicitForm)]
pub(crate) struct Name {
    pub(crate) name: String,
}

#[derive(Debug, ElicitForm)]
struct Color {
    color: String,
}

#[derive(Debug, ElicitForm)]
struct Consent {
    ok: bool,
}

/// Asks for the user's name
#[mcp_tool]
async fn test_input_required_result_elicitation(ctx: Context) -> Result<String, ToolError> {
    let asked = ctx.elicit::<Name>("What is your name?").key("user_name");
    Ok(match asked.await?.accepted() {
        Some(Name { name }) => format!("Hello, {name}!"),
        None => "Hello, whoever you are!".into(),
    })
}

/// Asks the client's model for a capital
#[mcp_tool]
async fn test_input_required_result_sampling(ctx: Context) -> Result<String, ToolError> {
    let request = SampleRequest::new(100).user("What is the capital of France?");
    let answer = ctx.sample(request).key("capital_question").await?;
    Ok(answer.text())
}

/// Lists the client's roots
#[mcp_tool]
async fn test_input_required_result_list_roots(ctx: Context) -> Result<String, ToolError> {
    let roots = ctx.roots().key("client_roots").await?;
    Ok(format!("{} roots", roots.len()))
}

/// Asks for consent, and knows the call again when it comes back
#[mcp_tool]
async fn test_input_required_result_request_state(ctx: Context) -> Result<&'static str, ToolError> {
    Ok(if consents(&ctx).await? {
        "state-ok"
    } else {
        "refused"
    })
}

/// Asks the user, the model and the client at once
#[mcp_tool]
async fn test_input_required_result_multiple_inputs(ctx: Context) -> Result<String, ToolError> {
    let name = ctx.elicit::<Name>("What is your name?").key("user_name");
    let greeting = ctx
        .sample(SampleRequest::new(100).user("Greet somebody"))
        .key("greeting");
    let roots = ctx.roots().key("client_roots");
    let (name, greeting, roots) = tokio::try_join!(name.ask(), greeting.ask(), roots.ask())?;
    let name = name.accepted().map(|Name { name }| name);
    Ok(format!(
        "{} {name:?} of {} roots",
        greeting.text(),
        roots.len()
    ))
}

/// Asks twice, one question after the other
#[mcp_tool]
async fn test_input_required_result_multi_round(ctx: Context) -> Result<String, ToolError> {
    let name = ctx
        .elicit::<Name>("Step 1: your name?")
        .key("step1")
        .await?;
    let color = ctx
        .elicit::<Color>("Step 2: your colour?")
        .key("step2")
        .await?;
    match (name.accepted(), color.accepted()) {
        (Some(Name { name }), Some(Color { color })) => Ok(format!("{name} likes {color}")),
        _ => Ok("unfinished".into()),
    }
}

/// Refuses an answer to a call that it does not know
#[mcp_tool]
async fn test_input_required_result_tampered_state(
    ctx: Context,
) -> Result<&'static str, ToolError> {
    Ok(if consents(&ctx).await? {
        "untampered"
    } else {
        "refused"
    })
}

async fn consents(ctx: &Context) -> Result<bool, AskError> {
    let asked = ctx.elicit::<Consent>("Is that all right?").key("confirm");
    Ok(asked.await?.accepted().is_some_and(|Consent { ok }| ok))
}

/// Asks whoever there is to ask
#[mcp_tool]
async fn test_input_required_result_capabilities(ctx: Context) -> Result<String, ToolError> {
    if ctx.supports(Capability::Elicitation) {
        ctx.elicit::<Name>("What is your name?")
            .key("user_name")
            .await?;
    } else if ctx.supports(Capability::Sampling) {
        let request = SampleRequest::new(100).user("Make up a name");
        ctx.sample(request).key("made_up_name").await?;
    }
    Ok("asked what can be asked".into())
}
