//! Tools that answer by themselves: every kind of content, an error, progress, messages, a schema by hand.

use mcp_tasks::prelude::*;
use mcp_tasks::{Audio, Embedded, Tools};

pub(crate) fn tools() -> Tools {
    tools![
        test_simple_text,
        test_image_content,
        test_audio_content,
        test_embedded_resource,
        test_multiple_content_types,
        test_error_handling,
        test_tool_with_progress,
        test_tool_with_logging,
        test_reconnection,
        json_schema_2020_12_tool,
    ]
}

/// One red pixel.
pub(crate) const PIXEL: &[u8] = include_bytes!("pixel.png");
/// Ten milliseconds of silence.
const SILENCE: &[u8] = include_bytes!("silence.wav");

/// Answers with a text
#[mcp_tool]
async fn test_simple_text() -> &'static str {
    "This is a simple text response for testing."
}

/// Answers with an image
#[mcp_tool]
async fn test_image_content() -> Image {
    Image::new(PIXEL, "image/png")
}

/// Answers with a sound
#[mcp_tool]
async fn test_audio_content() -> Audio {
    Audio::new(SILENCE, "audio/wav")
}

/// Answers with a resource in place
#[mcp_tool]
async fn test_embedded_resource() -> Embedded {
    Embedded::text(
        "test://embedded-resource",
        "This is an embedded resource content.",
    )
    .mime_type("text/plain")
}

/// Answers with a text, an image and a resource
#[mcp_tool]
async fn test_multiple_content_types() -> Vec<Content> {
    let resource = Embedded::text(
        "test://mixed-content-resource",
        r#"{"test":"data","value":123}"#,
    );
    vec![
        Content::text("Multiple content types test:"),
        Image::new(PIXEL, "image/png").into(),
        resource.mime_type("application/json").into(),
    ]
}

/// Fails
#[mcp_tool]
async fn test_error_handling() -> Result<String, ToolError> {
    Err("This tool intentionally returns an error for testing".into())
}

/// Reports its progress
#[mcp_tool]
async fn test_tool_with_progress(ctx: Context) -> &'static str {
    for done in [0, 50, 100] {
        ctx.progress(done, 100, "");
        pause(50).await;
    }
    "Tool with progress executed successfully"
}

/// Sends messages while it works
#[mcp_tool]
async fn test_tool_with_logging(ctx: Context) -> &'static str {
    for text in [
        "Tool execution started",
        "Tool processing data",
        "Tool execution completed",
    ] {
        ctx.log(LogLevel::Info, text);
        pause(50).await;
    }
    "Tool with logging executed successfully"
}

/// Takes long enough for a client to lose its connection and come back
#[mcp_tool]
async fn test_reconnection() -> &'static str {
    pause(100).await;
    "Reconnection test completed successfully"
}

/// Has a schema of every keyword that generators avoid
#[mcp_tool(
    input_schema = include_str!("json_schema_2020_12.json"),
    allow_unknown
)]
async fn json_schema_2020_12_tool() -> &'static str {
    "JSON Schema 2020-12 tool executed"
}

async fn pause(millis: u64) {
    tokio::time::sleep(Duration::from_millis(millis)).await;
}
