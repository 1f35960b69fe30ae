//! The client's own model, and what to do without it.
//!
//! Some hosts lend their model to the server (`sampling`); the user of the host decides and pays. Newer revisions are moving
//! away from it, so a tool should be of use without:
//!
//! - `summarize` asks for a completion and falls back to plain code where there is no model;
//! - `translate` cannot do without, says so by `needs(sampling)`, and refuses before anything runs.
//!
//! Run it: `cargo run -p examples --bin sampling`.

use mcp_tasks::SampleRequest;
use mcp_tasks::prelude::*;

/// Tokens that a completion may have.
const TOKENS: u32 = 400;

/// Summarize a text in one sentence.
#[mcp_tool(task, read_only)]
async fn summarize(text: String, ctx: Context) -> Result<String, ToolError> {
    let request = SampleRequest::new(TOKENS)
        .system("Answer with one sentence.")
        .user(format!("Summarize:\n\n{text}"));
    match ctx.sample(request).await {
        Ok(answer) => Ok(format!("{} ({})", answer.text(), answer.model())),
        Err(AskError::Unsupported(_)) => {
            Ok(format!("{} (its first sentence)", first_sentence(&text)))
        }
        Err(error) => Err(error.into()),
    }
}

fn first_sentence(text: &str) -> &str {
    let text = text.trim();
    text.find(['.', '!', '?']).map_or(text, |end| &text[..=end])
}

/// Translate a text.
#[mcp_tool(task, read_only, needs(sampling))]
async fn translate(
    text: String,
    /// Such as `French`
    language: String,
    ctx: Context,
) -> Result<String, ToolError> {
    let request = SampleRequest::new(TOKENS)
        .system(format!(
            "Translate into {language}. Answer with the translation alone."
        ))
        .user(text);
    Ok(ctx.sample(request).await?.text())
}

/// A server that borrows the client's model.
pub fn server() -> Server {
    Server::new("texts").tools(tools![summarize, translate])
}
