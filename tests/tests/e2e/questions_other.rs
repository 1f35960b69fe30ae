//! Questions that are no forms: pages to open, completions, roots.

use mcp_tasks::SampleRequest;
use mcp_tasks::prelude::*;
use mcp_tasks::testing::{Client, ClientKind, ErrorReply, Outcome, Reply, every_client, tables};
use serde_json::{Value, json};
use tests::session::Session;
use tokio::sync::mpsc;

use ClientKind::{CoreTasks, TasksExtension, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};

/// Signs the user in on a page.
#[mcp_tool(task)]
async fn sign_in(ctx: Context) -> Result<String, ToolError> {
    let page = ctx.elicit_url("Please sign in", |id| format!("https://example.com/{id}"));
    let signed_in = tokio::time::sleep(Duration::from_secs(3));
    Ok(match page.until(signed_in).await? {
        Answer::Accepted(()) => "signed in",
        Answer::Declined => "declined",
        Answer::Dismissed => "dismissed",
    }
    .into())
}

/// Asks the client's model.
#[mcp_tool(task)]
async fn think(ctx: Context) -> Result<String, ToolError> {
    let request = SampleRequest::new(200)
        .system("Answer in one word.")
        .user("Capital of France?");
    let answer = ctx.sample(request).await?;
    Ok(format!("{} says {}", answer.model(), answer.text()))
}

/// Lists the client's roots.
#[mcp_tool(task)]
async fn look(ctx: Context) -> Result<String, ToolError> {
    let roots = ctx.roots().await?;
    Ok(roots
        .into_iter()
        .map(|root| root.uri)
        .collect::<Vec<_>>()
        .join(" "))
}

/// What goes on a pizza.
#[derive(ElicitForm)]
struct Order {
    toppings: Vec<Topping>,
}

#[derive(ElicitForm)]
enum Topping {
    Cheese,
    Olives,
}

/// Takes an order, and says what came of the question.
#[mcp_tool(task)]
async fn order(ctx: Context) -> String {
    match ctx.elicit::<Order>("What shall it be?").await {
        Ok(Answer::Accepted(order)) => format!("{} toppings", order.toppings.len()),
        other => format!("{:?}", other.map(|answer| answer.map(drop))),
    }
}

fn server() -> Server {
    Server::new("asker").tools(tools![sign_in, think, look, order])
}

async fn ask(kind: ClientKind, tool: &str, reply: Reply) -> (Session, Outcome) {
    let mut client = Session::open(&server(), kind).await;
    let outcome = client.call(tool, json!({})).reply(reply).await;
    (client, outcome)
}

fn completion() -> Reply {
    Reply::Result(json!({
        "role": "assistant", "content": { "type": "text", "text": "Paris" }, "model": "m",
    }))
}

/// Leaves behind who asks, before and after its end.
#[mcp_tool(task)]
async fn leave_behind(ctx: Context, State(heard): State<mpsc::UnboundedSender<AskError>>) {
    for pause in [0, 1_000] {
        let (ctx, heard) = (ctx.clone(), heard.clone());
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(pause)).await;
            let error = ctx.confirm("Still there?").await.expect_err("nobody is");
            heard.send(error).expect("the test listens");
        });
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
}

#[tokio::test(start_paused = true)]
async fn a_question_ends_with_the_body_that_left_it_behind() {
    for kind in [V2025_06_18, V2025_11_25, CoreTasks, TasksExtension] {
        let (heard, mut hear) = mpsc::unbounded_channel();
        let tools = tools![leave_behind];
        let server = Server::new("behind").tools(tools).state(heard);
        let mut client = Session::open(&server, kind).await;
        client.start_call("leave_behind", json!({})).await;
        for _ in 0..2 {
            let ended = tokio::time::timeout(Duration::from_secs(2), hear.recv()).await;
            assert_eq!(ended.expect("it ends"), Some(AskError::Gone), "{kind}");
        }
        assert_eq!(tables(&server).questions, 0, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_completion_reaches_the_body() {
    for kind in every_client() {
        let (_, outcome) = ask(kind, "think", completion()).await;
        assert_eq!(outcome.text(), "m says Paris", "{kind}");
        let question = &outcome.questions[0];
        assert_eq!(question.method, "sampling/createMessage", "{kind}");
        assert_eq!(question.params["maxTokens"], 200, "{kind}");
        assert_eq!(
            question.params["systemPrompt"], "Answer in one word.",
            "{kind}"
        );
        assert_eq!(
            question.params["messages"][0]["content"]["text"], "Capital of France?",
            "{kind}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn the_roots_reach_the_body() {
    let roots = json!({ "roots": [{ "uri": "file:///a" }, { "uri": "file:///b", "name": "b" }] });
    for kind in every_client() {
        let (_, outcome) = ask(kind, "look", Reply::Result(roots.clone())).await;
        assert_eq!(outcome.text(), "file:///a file:///b", "{kind}");
        assert_eq!(outcome.questions[0].method, "roots/list", "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_user_may_refuse_a_completion() {
    for kind in every_client().filter(|kind| !kind.is_modern()) {
        let rejected = Reply::Error(ErrorReply::new(-1, "User rejected sampling request"));
        let (_, outcome) = ask(kind, "think", rejected).await;
        assert!(outcome.is_error(), "{kind}: {outcome:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn nonsense_is_no_completion() {
    for kind in every_client().filter(|kind| !kind.is_modern()) {
        let (_, outcome) = ask(kind, "think", Reply::Result(json!({ "roots": [] }))).await;
        assert!(outcome.is_error(), "{kind}: {outcome:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_page_is_consented_to_and_then_waited_for() {
    for kind in [
        TasksExtension,
        V2026_07_28,
        ClientKind::CoreTasks,
        V2025_11_25,
    ] {
        let started = tokio::time::Instant::now();
        let (_, outcome) = ask(kind, "sign_in", Reply::Accept(Value::Null)).await;
        assert_eq!(outcome.text(), "signed in", "{kind}");
        assert!(started.elapsed() >= Duration::from_secs(3), "{kind}");
        let params = &outcome.questions[0].params;
        assert_eq!(params["mode"], "url", "{kind}");
        assert_eq!(params["message"], "Please sign in", "{kind}");
        let url = params["url"].as_str().expect("an address");
        assert!(url.starts_with("https://example.com/"), "{kind}: {url}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_page_can_be_declined_and_dismissed() {
    for kind in [TasksExtension, V2026_07_28, V2025_11_25] {
        assert_eq!(
            ask(kind, "sign_in", Reply::Decline).await.1.text(),
            "declined",
            "{kind}"
        );
        assert_eq!(
            ask(kind, "sign_in", Reply::Dismiss).await.1.text(),
            "dismissed",
            "{kind}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_finished_page_is_told_in_2025_11_25_alone() {
    for kind in [ClientKind::CoreTasks, V2025_11_25] {
        let (mut client, outcome) = ask(kind, "sign_in", Reply::Accept(Value::Null)).await;
        let id = &outcome.questions[0].params["elicitationId"];
        assert!(id.is_string(), "{kind}: {outcome:?}");
        let told = client
            .notification("notifications/elicitation/complete")
            .await;
        assert_eq!(&told["params"]["elicitationId"], id, "{kind}");
    }
    for kind in [TasksExtension, V2026_07_28] {
        let (mut client, outcome) = ask(kind, "sign_in", Reply::Accept(Value::Null)).await;
        assert!(
            outcome.questions[0].params.get("elicitationId").is_none(),
            "{kind}"
        );
        assert_eq!(client.leftovers().await, Vec::<Value>::new(), "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn no_page_is_shown_to_a_client_that_has_forms_alone() {
    for kind in [
        TasksExtension,
        V2026_07_28,
        V2025_11_25,
        V2025_06_18,
        V2025_03_26,
    ] {
        let builder = Client::builder(kind).capabilities(json!({ "elicitation": {} }));
        let mut client = Session::with(builder, &server()).await;
        let outcome = client.call("sign_in", json!({})).await;
        assert_eq!(outcome.questions, [], "{kind}");
        if kind.is_modern() {
            let required = json!({ "requiredCapabilities": { "elicitation": { "url": {} } } });
            assert_eq!(outcome.error().code, -32021, "{kind}");
            assert_eq!(outcome.error().data, Some(required), "{kind}");
        } else {
            assert!(outcome.is_error(), "{kind}: {outcome:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_client_did_not_declare_is_not_asked_of_it() {
    for kind in every_client() {
        let builder = Client::builder(kind).capabilities(json!({}));
        let mut client = Session::with(builder, &server()).await;
        for (tool, missing) in [("think", "sampling"), ("look", "roots")] {
            let outcome = client.call(tool, json!({})).await;
            assert_eq!(outcome.questions, [], "{kind}");
            if kind.is_modern() {
                let required = json!({ "requiredCapabilities": { missing: {} } });
                assert_eq!(outcome.error().code, -32021, "{kind}");
                assert_eq!(outcome.error().data, Some(required), "{kind}");
            } else {
                assert!(
                    outcome.is_error() && outcome.text().contains(missing),
                    "{kind}: {outcome:?}"
                );
            }
        }
    }
}

/// Asks the client's model, which may call tools.
#[mcp_tool(task)]
async fn think_with_tools(ctx: Context) -> Result<String, ToolError> {
    let tool = json!({ "name": "t", "inputSchema": { "type": "object" } });
    let request = SampleRequest::new(200)
        .user("Use it.")
        .param("tools", json!([tool]));
    Ok(ctx.sample(request).await?.text())
}

#[tokio::test(start_paused = true)]
async fn tools_in_a_completion_are_a_capability_of_their_own() {
    let server = Server::new("asker").tools(tools![think_with_tools]);
    for kind in every_client() {
        let builder = Client::builder(kind).capabilities(json!({ "sampling": {} }));
        let mut client = Session::with(builder, &server).await;
        let outcome = client.call("think_with_tools", json!({})).await;
        assert_eq!(outcome.questions, [], "{kind}");
        if kind.is_modern() {
            let required = json!({ "requiredCapabilities": { "sampling": { "tools": {} } } });
            assert_eq!(outcome.error().data, Some(required), "{kind}");
        } else {
            let text = outcome.text();
            assert!(text.contains("sampling.tools"), "{kind}: {text}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_revision_cannot_put_is_told_apart_from_an_answer_that_does_not_fit() {
    let mut client = Session::open(&server(), V2025_06_18).await;
    let outcome = client.call("order", json!({})).await;
    assert_eq!(outcome.questions, []);
    let told = outcome.text();
    assert!(told.starts_with("Err(Inexpressible("), "{told}");
    assert!(told.contains("several choices"), "{told}");

    let reply = Reply::Accept(json!({ "toppings": ["Cheese"] }));
    let (_, outcome) = ask(V2025_11_25, "order", reply).await;
    assert_eq!(outcome.text(), "1 toppings");
}
