//! `Server::mask_errors`: what clients read of errors that were not made for them.

use std::io;

use mcp_tasks::prelude::*;
use mcp_tasks::testing::{Outcome, every_client};
use mcp_tasks::{ErrorCode, FromContext, RequestMeta};
use serde_json::json;
use tests::session::Session;

const SECRET: &str = "secret-host";

fn hidden() -> io::Error {
    io::Error::other(SECRET)
}

/// Fails in the way it is told.
#[mcp_tool(task)]
async fn fail(how: String, ctx: Context) -> Result<String, ToolError> {
    match how.as_str() {
        "converted" => Err(hidden())?,
        "text" => Err(format!("cannot reach {SECRET}"))?,
        "told" => Err(ToolError::new("name another table")),
        "told with source" => Err(ToolError::new("try later").with_source(hidden())),
        "protocol" => Err(ToolError::protocol(
            ErrorCode::INVALID_PARAMS,
            "no such table",
        )),
        "asked" => {
            let asked = ctx.confirm("Sure?").timeout(Duration::from_secs(1));
            asked.await.map(|yes| yes.to_string()).map_err(Into::into)
        }
        _ => unreachable!("no such way"),
    }
}

/// Somebody who is never there.
struct Member;

impl FromContext for Member {
    fn from_context(_: &Context) -> Result<Self, ToolError> {
        Err(hidden().into())
    }
}

/// For members.
#[mcp_tool(task)]
async fn lounge(_member: Member) {}

/// Tell the tenant.
#[mcp_tool]
async fn tenant(meta: RequestMeta) -> Result<String, ToolError> {
    Ok(meta.get("example.com/tenant")?.unwrap_or_default())
}

fn server() -> Server {
    Server::new("discreet").tools(tools![fail, lounge, tenant])
}

async fn fails(client: &mut Session, how: &str) -> Outcome {
    client.call("fail", json!({ "how": how })).await
}

#[tokio::test(start_paused = true)]
async fn an_error_that_was_converted_is_a_reference_number() {
    for kind in every_client() {
        let mut client = Session::open(&server().mask_errors(), kind).await;
        for how in ["converted", "text"] {
            let outcome = fails(&mut client, how).await;
            assert!(outcome.is_error(), "{kind}: {how}");
            let (words, number) = outcome
                .text()
                .rsplit_once(' ')
                .map(|(words, number)| (words.to_owned(), number.to_owned()))
                .unwrap();
            assert_eq!(
                words, "the tool failed; the server's log says why, under reference",
                "{kind}: {how}"
            );
            assert_eq!(number.len(), 8, "{kind}: {how}");
        }
        let refused = client.call_plainly("lounge", json!({})).await.unwrap();
        assert_eq!(refused["isError"], true, "{kind}");
        let said = format!("{:?}", client.transcript());
        assert!(!said.contains(SECRET), "{kind}: {said}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_tool_says_on_purpose_is_read() {
    for kind in every_client() {
        let mut client = Session::open(&server().mask_errors(), kind).await;
        assert_eq!(
            fails(&mut client, "told").await.text(),
            "name another table",
            "{kind}"
        );
        let outcome = fails(&mut client, "told with source").await;
        assert_eq!(outcome.text(), "try later", "{kind}");
        let protocol = fails(&mut client, "protocol").await;
        assert_eq!(protocol.error().message, "no such table", "{kind}");
        let said = format!("{:?}", client.transcript());
        assert!(!said.contains(SECRET), "{kind}: {said}");
    }
}

#[tokio::test(start_paused = true)]
async fn arguments_that_do_not_fit_and_questions_without_an_answer_are_told_of() {
    for kind in every_client().filter(|kind| kind.asks() && kind.revision() != "2026-07-28") {
        let mut client = Session::open(&server().mask_errors(), kind).await;
        let asked = client
            .call("fail", json!({ "how": "asked" }))
            .never_answer()
            .await;
        assert_eq!(
            asked.text(),
            "the question was not answered in time",
            "{kind}"
        );
        let misfit = client
            .call_plainly("fail", json!({ "how": 5 }))
            .await
            .unwrap();
        assert!(
            misfit.to_string().contains("expected a string"),
            "{kind}: {misfit}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_put_round_a_call_is_masked_as_the_tool_is() {
    let server = server().mask_errors().around(|call, next| async move {
        if call.tool() == "tenant" {
            Err(hidden())?;
        }
        next.run().await
    });
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        for (tool, arguments) in [("fail", json!({ "how": "text" })), ("tenant", json!({}))] {
            let outcome = client.call(tool, arguments).await;
            assert!(outcome.text().contains("under reference"), "{kind}: {tool}");
        }
        let said = format!("{:?}", client.transcript());
        assert!(!said.contains(SECRET), "{kind}: {said}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_the_caller_sent_wrong_is_told_wherever_it_is_found() {
    let server = server().mask_errors().around(|call, next| async move {
        if call.tool() == "fail" {
            call.arguments::<Vec<u8>>()?;
        }
        next.run().await
    });
    for kind in every_client() {
        let mut client = Session::open(&server, kind).await;
        let misfit = fails(&mut client, "told").await;
        assert!(misfit.text().contains("expected a sequence"), "{kind}");
        let mut params = json!({ "name": "tenant", "arguments": {} });
        params["_meta"] = json!({ "example.com/tenant": 5 });
        let refused = client.request("tools/call", params).await.unwrap();
        let refused = refused.to_string();
        assert!(refused.contains("expected a string"), "{kind}: {refused}");
    }
}

#[tokio::test(start_paused = true)]
async fn without_masking_the_model_reads_the_error_and_its_sources() {
    for kind in every_client() {
        let mut client = Session::open(&server(), kind).await;
        assert_eq!(
            fails(&mut client, "converted").await.text(),
            SECRET,
            "{kind}"
        );
        let outcome = fails(&mut client, "told with source").await;
        assert_eq!(outcome.text(), format!("try later: {SECRET}"), "{kind}");
    }
}
