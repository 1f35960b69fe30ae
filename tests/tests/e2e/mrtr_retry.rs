//! The life of a parked call between its question and its retry.

use mcp_tasks::prelude::*;
use mcp_tasks::testing::{Client, ClientKind};
use serde_json::{Value, json};
use tests::session::{CLIENT_CAPABILITIES, LOG_LEVEL, Session, accepted, text};
use tests::tools::{Name, Probe};

use ClientKind::V2026_07_28;

/// Agreement and nothing else.
#[derive(Debug, ElicitForm)]
struct Consent {}

/// Asks, then works for a while.
#[mcp_tool(task)]
async fn ask_then_work(ctx: Context, State(probe): State<Probe>) -> Result<String, ToolError> {
    let _inside = probe.enter();
    ctx.elicit::<Name>("Who?").key("name").await?;
    ctx.log(LogLevel::Warning, "working");
    tokio::time::sleep(Duration::from_secs(5)).await;
    Ok("worked".into())
}

/// Asks, then works for longer than anybody would wait for an answer.
#[mcp_tool(task)]
async fn ask_then_toil(ctx: Context) -> Result<String, ToolError> {
    ctx.elicit::<Name>("Who?").key("name").await?;
    tokio::time::sleep(Duration::from_secs(3600)).await;
    Ok("toiled".into())
}

/// Goes on whether or not there is an answer.
#[mcp_tool(task)]
async fn ask_and_work(ctx: Context) -> String {
    let asked = ctx.elicit::<Name>("Who?").key("name");
    tokio::select! {
        answer = async { asked.await } => format!("{:?}", answer.is_ok()),
        () = tokio::time::sleep(Duration::from_secs(5)) => "went on".into(),
    }
}

/// Asks for consent.
#[mcp_tool(task)]
async fn consent(ctx: Context) -> Result<String, ToolError> {
    let answer = ctx.elicit::<Consent>("Agree?").key("consent").await?;
    Ok(if answer.accepted().is_some() {
        "agreed"
    } else {
        "refused"
    }
    .into())
}

fn server() -> (Server, Probe) {
    let probe = Probe::default();
    let tools = tools![ask_then_work, ask_then_toil, ask_and_work, consent];
    (
        Server::new("parked").tools(tools).state(probe.clone()),
        probe,
    )
}

async fn asked(client: &mut Session, tool: &str) -> Value {
    let asked = client.call_plainly(tool, json!({})).await.unwrap();
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    asked
}

fn retry(tool: &str, state: &Value) -> Value {
    json!({
        "name": tool, "arguments": {}, "requestState": state,
        "inputResponses": { "name": accepted(json!({ "name": "Ada" })) },
    })
}

#[tokio::test(start_paused = true)]
async fn of_two_retries_at_once_one_is_served() {
    let (server, probe) = server();
    let mut client = Session::open(&server, V2026_07_28).await;
    let state = asked(&mut client, "ask_then_work").await["requestState"].clone();
    let first = client
        .start("tools/call", retry("ask_then_work", &state))
        .await;
    let second = client
        .start("tools/call", retry("ask_then_work", &state))
        .await;
    let refused = client.response(&second).await.unwrap_err();
    assert_eq!(refused.code, -32602);
    assert_eq!(text(&client.response(&first).await.unwrap()), "worked");
    assert_eq!(probe.started(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_retry_ends_the_run() {
    let (server, probe) = server();
    let mut client = Session::open(&server, V2026_07_28).await;
    let first = client
        .call_plainly("ask_then_work", json!({}))
        .await
        .unwrap();
    let id = client
        .start("tools/call", retry("ask_then_work", &first["requestState"]))
        .await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!((probe.started(), probe.dropped()), (1, 0));
    client
        .notify("notifications/cancelled", json!({ "requestId": id }))
        .await;
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(client.leftovers().await, Vec::<Value>::new());
    assert_eq!((probe.started(), probe.dropped()), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_was_taken_up_is_not_given_up_any_more() {
    let patient = Client::builder(V2026_07_28).patience(Duration::from_secs(7200));
    let mut client = Session::with(patient, &server().0).await;
    let state = asked(&mut client, "ask_then_toil").await["requestState"].clone();
    let result = client
        .request("tools/call", retry("ask_then_toil", &state))
        .await
        .unwrap();
    assert_eq!(text(&result), "toiled");
}

#[tokio::test(start_paused = true)]
async fn the_answered_requests_id_cancels_nothing() {
    let (server, probe) = server();
    let mut client = Session::open(&server, V2026_07_28).await;
    let id = client
        .start(
            "tools/call",
            json!({ "name": "ask_then_work", "arguments": {} }),
        )
        .await;
    let asked = client.response(&id).await.unwrap();
    client
        .notify("notifications/cancelled", json!({ "requestId": id }))
        .await;
    let params = retry("ask_then_work", &asked["requestState"]);
    assert_eq!(
        text(&client.request("tools/call", params).await.unwrap()),
        "worked"
    );
    assert_eq!(probe.started(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_retry_has_its_own_log_level() {
    let mut client = Session::open(&server().0, V2026_07_28).await;
    for level in [Value::Null, json!("warning")] {
        let state = asked(&mut client, "ask_then_work").await["requestState"].clone();
        let mut params = retry("ask_then_work", &state);
        if !level.is_null() {
            params["_meta"] = json!({ LOG_LEVEL: level });
        }
        client.request("tools/call", params).await.unwrap();
        let logs = client.leftovers().await;
        assert_eq!(logs.len(), usize::from(!level.is_null()), "{logs:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_retry_may_find_that_the_body_went_on_without_it() {
    let mut client = Session::open(&server().0, V2026_07_28).await;
    let asked = asked(&mut client, "ask_and_work").await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    let params = retry("ask_and_work", &asked["requestState"]);
    let result = client.request("tools/call", params).await.unwrap();
    assert_eq!(text(&result), "went on");
}

#[tokio::test(start_paused = true)]
async fn a_retry_that_came_in_time_may_work_on_past_it() {
    let mut client = Session::open(&server().0, V2026_07_28).await;
    let asked = asked(&mut client, "ask_then_work").await;
    tokio::time::sleep(Duration::from_secs(10 * 60 - 2)).await;
    let params = retry("ask_then_work", &asked["requestState"]);
    let result = client.request("tools/call", params).await.unwrap();
    assert_eq!(text(&result), "worked");
}

#[tokio::test(start_paused = true)]
async fn a_form_without_fields_may_be_accepted_without_content() {
    let (server, _) = server();
    for kind in ClientKind::ALL
        .into_iter()
        .filter(|kind| *kind != ClientKind::V2025_03_26)
    {
        for content in [Value::Null, json!({})] {
            let mut client = Session::open(&server, kind).await;
            let outcome = client.call("consent", json!({})).accept(content).await;
            assert_eq!(outcome.text(), "agreed", "{kind}");
        }
    }
}

/// Repeats what it was given once it knows for whom.
#[mcp_tool(task)]
async fn order(item: String, ctx: Context) -> Result<String, ToolError> {
    ctx.elicit::<Name>("For whom?").key("name").await?;
    Ok(item)
}

#[tokio::test(start_paused = true)]
async fn a_retry_repeats_its_arguments_in_whatever_spelling() {
    let server = Server::new("orders").tools(tools![order, consent]);
    let mut client = Session::open(&server, V2026_07_28).await;
    let asked = client
        .call_plainly("order", json!({ "item": "tea" }))
        .await
        .unwrap();
    let mut params = retry("order", &asked["requestState"]);
    for other in [json!({ "item": "gold" }), json!({}), Value::Null] {
        params["arguments"] = other.clone();
        let refused = client.request("tools/call", params.clone()).await;
        assert_eq!(refused.unwrap_err().code, -32602, "{other}");
    }
    let meta = client.transcript()[0].1["params"]["_meta"].clone();
    let state = asked["requestState"].as_str().expect("a handle");
    let line = format!(
        r#"{{"jsonrpc":"2.0","id":"again","method":"tools/call","params":{{"name":"order","arguments":{{ "item" : "t\u0065a" }},"requestState":"{state}","inputResponses":{{"name":{{"action":"decline"}}}},"_meta":{meta}}}}}"#
    );
    client.send_line(line.as_bytes()).await;
    assert_eq!(
        text(&client.response(&json!("again")).await.unwrap()),
        "tea"
    );
}

/// 2026-07-28 mrtr: a request kind that this request's client did not declare is not put to it.
#[tokio::test(start_paused = true)]
async fn a_retry_that_declares_less_is_asked_less() {
    let (server, probe) = server();
    let mut client = Session::open(&server, V2026_07_28).await;
    let asked = asked(&mut client, "ask_then_work").await;
    let params = json!({
        "name": "ask_then_work", "arguments": {}, "requestState": asked["requestState"],
        "_meta": { CLIENT_CAPABILITIES: {} },
    });
    let error = client.request("tools/call", params).await.unwrap_err();
    assert_eq!(error.code, -32021);
    let missing = json!({ "requiredCapabilities": { "elicitation": { "form": {} } } });
    assert_eq!(error.data, Some(missing));
    assert_eq!((probe.started(), probe.dropped()), (1, 1));
}
