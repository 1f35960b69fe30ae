//! What the official conformance suite asks of a client, scenario by scenario. The suite starts this program with the
//! address of a server of its own, names the scenario in `MCP_CONFORMANCE_SCENARIO`, and judges what the server sees.

use std::error::Error;

use mcp_tasks::client::{Answer, CallResult, Client, ClientBuilder, FormQuestion};
use serde_json::{Map, Value, json};

type Outcome = Result<(), Box<dyn Error>>;

#[tokio::main]
async fn main() -> Outcome {
    let url = std::env::args().next_back().ok_or("no address")?;
    let scenario = std::env::var("MCP_CONFORMANCE_SCENARIO")?;
    let client = builder().connect(url).await?;
    match &*scenario {
        "initialize" | "request-metadata" | "json-schema-ref-no-deref" => list(&client).await?,
        "tools_call" => call(&client, "add_numbers", json!({ "a": 5, "b": 3 })).await?,
        "elicitation-sep1034-client-defaults" => {
            call(&client, "test_client_elicitation_defaults", json!({})).await?;
        }
        "sse-retry" => call(&client, "test_reconnection", json!({})).await?,
        "sep-2322-client-request-state" => rounds(&client).await?,
        "http-standard-headers" | "http-invalid-tool-headers" => call_all(&client).await?,
        "http-custom-headers" => call_as_told(&client).await?,
        "json-schema-2020-12-preservation" => echo_schema(&client).await?,
        other => return Err(format!("unknown scenario {other}").into()),
    }
    client.close().await;
    Ok(())
}

/// Everything is declared, for the suite to look at, and every form is accepted as it stands.
fn builder() -> ClientBuilder {
    Client::builder()
        .name("conformance-client", "0")
        .on_form(async |question: FormQuestion| Answer::Accepted(filled(&question)))
        .on_sample(async |_| Answer::Declined)
        .on_roots(async || Vec::new())
}

/// What the user has to say: defaults are the client's to add.
fn filled(question: &FormQuestion) -> Map<String, Value> {
    let fields = question.form.fields().iter();
    let required = fields.filter(|field| field.required());
    required
        .map(|field| (field.name().to_owned(), json!(true)))
        .collect()
}

async fn list(client: &Client) -> Outcome {
    client.list_tools().await?;
    Ok(())
}

async fn call(client: &Client, tool: &str, arguments: Value) -> Outcome {
    list(client).await?;
    done(&client.call_tool(tool, arguments).await?)
}

/// A call of another tool while one is asked about must carry nothing of it.
async fn rounds(client: &Client) -> Outcome {
    let asked = client.call_tool("test_mrtr_echo_state", json!({}));
    let unrelated = client.call_tool("test_mrtr_unrelated", json!({}));
    let (asked, unrelated) = tokio::join!(asked, unrelated);
    done(&asked?)?;
    done(&unrelated?)?;
    done(&client.call_tool("test_mrtr_no_state", json!({})).await?)?;
    done(
        &client
            .call_tool("test_mrtr_no_result_type", json!({}))
            .await?,
    )
}

/// What the client lists is what may be called.
async fn call_all(client: &Client) -> Outcome {
    for tool in client.list_tools().await? {
        client
            .call_tool(tool.name(), json!({ "region": "eu" }))
            .await?;
    }
    Ok(())
}

async fn call_as_told(client: &Client) -> Outcome {
    let told: Value = serde_json::from_str(&std::env::var("MCP_CONFORMANCE_CONTEXT")?)?;
    let calls = told["toolCalls"].as_array().ok_or("no calls")?;
    for told in calls {
        let tool = told["name"].as_str().ok_or("a call without a name")?;
        client.call_tool(tool, told["arguments"].clone()).await?;
    }
    Ok(())
}

async fn echo_schema(client: &Client) -> Outcome {
    let tools = client.list_tools().await?;
    let focal = tools
        .iter()
        .find(|tool| tool.name() == "json_schema_2020_12_tool")
        .ok_or("the tool is not listed")?;
    let schema = json!({ "schema": focal.input_schema() });
    done(&client.call_tool("json_schema_echo", schema).await?)
}

fn done(result: &CallResult) -> Outcome {
    if result.is_error() {
        return Err(result.text().into());
    }
    Ok(())
}
