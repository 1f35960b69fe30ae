//! The headers of a 2026-07-28 request, checked in the order of the specification.

use serde_json::{Value, json};
use tests::http::{Request, Site};
use tests::session::{CLIENT_CAPABILITIES, PROTOCOL_VERSION};

use crate::tools::server;

const MISMATCH: i64 = -32020;
const UNSUPPORTED: i64 = -32022;
const INVALID: i64 = -32602;

fn with_meta(method: &str, meta: &Value) -> Request {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": meta}});
    Request::post(&message)
        .header("MCP-Protocol-Version", "2026-07-28")
        .header("Mcp-Method", method)
}

async fn refused(site: &Site, request: Request, status: u16, code: i64) {
    let response = site.send(request.clone()).await;
    assert_eq!(response.status, status, "{request:?}");
    let answer = response.json().await;
    assert_eq!(answer["error"]["code"], code, "{request:?}: {answer}");
    assert_eq!(answer["id"], 1, "{request:?}: {answer}");
}

#[tokio::test(start_paused = true)]
async fn every_check_comes_before_those_below_it() {
    let site = Site::open(server().0);
    let meta = |version: &str| json!({PROTOCOL_VERSION: version, CLIENT_CAPABILITIES: {}});

    // The version header against the body, whatever else is wrong.
    let unknown = with_meta("no/such", &meta("v999"));
    refused(&site, unknown.clone(), 400, MISMATCH).await;
    refused(
        &site,
        unknown.clone().without("MCP-Protocol-Version"),
        400,
        MISMATCH,
    )
    .await;

    // The metadata that every request must have.
    let incomplete = with_meta("tools/list", &json!({PROTOCOL_VERSION: "2026-07-28"}));
    refused(
        &site,
        incomplete.header("Mcp-Method", "wrong"),
        400,
        INVALID,
    )
    .await;

    // The version itself.
    let unknown = unknown
        .header("MCP-Protocol-Version", "v999")
        .header("Mcp-Method", "wrong");
    refused(&site, unknown, 400, UNSUPPORTED).await;

    // The routing headers.
    let wrong = with_meta("no/such", &meta("2026-07-28"));
    refused(
        &site,
        wrong.clone().header("Mcp-Method", "wrong"),
        400,
        MISMATCH,
    )
    .await;
    refused(&site, wrong.clone().without("Mcp-Method"), 400, MISMATCH).await;

    // The method.
    refused(&site, wrong, 404, -32601).await;

    // The capability, before the parameters.
    let undeclared = Request::modern_with(json!({}), "tasks/get", json!({"taskId": 7}));
    refused(&site, undeclared, 400, -32021).await;

    // The parameters.
    let params = Request::modern("tasks/get", json!({"taskId": 7}));
    refused(&site, params, 400, INVALID).await;
}

#[tokio::test(start_paused = true)]
async fn metadata_may_be_missing_only_from_what_is_not_modern() {
    let site = Site::open(server().0);
    let bare = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let named = Request::post(&bare)
        .header("MCP-Protocol-Version", "2026-07-28")
        .header("Mcp-Method", "tools/list");
    refused(&site, named, 400, INVALID).await;

    // Nothing says that it is modern: it is one of a session that is not there.
    let response = site.send(Request::post(&bare)).await;
    assert_eq!(response.status, 400);
    assert_eq!(response.code().await, Some(-32600));
}

#[tokio::test(start_paused = true)]
async fn an_unsupported_version_is_told_which_there_are() {
    let site = Site::open(server().0);
    let meta = json!({PROTOCOL_VERSION: "2099-01-01", CLIENT_CAPABILITIES: {}});
    let request = with_meta("tools/list", &meta).header("MCP-Protocol-Version", "2099-01-01");
    let response = site.send(request).await;
    assert_eq!(response.status, 400);
    let error = &response.json().await["error"];
    assert_eq!(error["code"], UNSUPPORTED);
    assert_eq!(
        error["data"],
        json!({"supported": ["2026-07-28"], "requested": "2099-01-01"})
    );
}

#[tokio::test(start_paused = true)]
async fn header_names_have_no_case_and_values_do() {
    let site = Site::open(server().0);
    let call = Request::call("add", json!({"a": 1, "b": 2}));
    let accepted = [
        call.clone()
            .without("Mcp-Method")
            .header("mcp-method", "tools/call"),
        call.clone()
            .without("Mcp-Method")
            .header("MCP-METHOD", "  tools/call\t"),
        call.clone().header("Mcp-Name", " add "),
        call.clone().header("Mcp-Name", "=?base64?YWRk?="),
    ];
    for request in accepted {
        assert_eq!(site.send(request.clone()).await.status, 200, "{request:?}");
    }
    let rejected = [
        call.clone().header("Mcp-Method", "TOOLS/CALL"),
        call.clone().header("Mcp-Name", "ADD"),
        call.clone().header("Mcp-Name", "=?base64?YWRk=?="),
        call.clone().header("Mcp-Name", "=?BASE64?YWRk?="),
        call.without("Mcp-Name"),
    ];
    for request in rejected {
        refused(&site, request, 400, MISMATCH).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_header_that_comes_twice_is_no_value() {
    let site = Site::open(server().0);
    let twice = |name: &str| {
        let bytes = Request::call("add", json!({"a": 1, "b": 2})).into_bytes();
        let text = String::from_utf8(bytes).expect("text");
        text.replacen("\r\n\r\n", &format!("\r\n{name}: other\r\n\r\n"), 1)
    };
    for name in ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"] {
        let mut connection = site.connect();
        tokio::io::AsyncWriteExt::write_all(&mut connection, twice(name).as_bytes())
            .await
            .expect("the server reads");
        let response = tests::http::Response::read(connection).await;
        assert_eq!(response.status, 400, "{name}");
        assert_eq!(response.code().await, Some(MISMATCH), "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn all_three_task_methods_are_routed_by_the_tasks_id() {
    let site = Site::open(server().0);
    let task = site.ask(Request::call("ask", json!({}))).await["result"].take();
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let params = json!({"taskId": task["taskId"], "inputResponses": {}});
        let request = Request::modern(method, params);
        refused(
            &site,
            request.clone().header("Mcp-Name", "other"),
            400,
            MISMATCH,
        )
        .await;
        assert_eq!(site.send(request).await.status, 200, "{method}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_method_is_served_without_the_tasks_id_in_a_header() {
    let site = Site::open(server().0);
    let task = site.ask(Request::call("ask", json!({}))).await["result"].take();
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let params = json!({"taskId": task["taskId"], "inputResponses": {}});
        let request = Request::modern(method, params).without("Mcp-Name");
        assert_eq!(site.send(request).await.status, 200, "{method}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_mirrored_argument_says_in_its_header_what_it_says_in_the_body() {
    let site = Site::open(server().0);
    let call = |arguments: &Value, headers: &[(&str, &str)]| {
        let request = Request::call("locate", arguments.clone());
        let with = |request: Request, (name, value): &(&str, &str)| request.header(name, value);
        headers.iter().fold(request, with)
    };
    let both = json!({"region": "eu", "shard": 7});
    for (arguments, headers) in [
        (
            &both,
            &[("Mcp-Param-Region", "eu"), ("mcp-param-shard", "7")][..],
        ),
        (
            &both,
            &[
                ("Mcp-Param-Region", "=?base64?ZXU=?="),
                ("Mcp-Param-Shard", "7"),
            ],
        ),
        (&json!({"shard": 7}), &[("Mcp-Param-Shard", "7")]),
        (&json!({"region": null, "shard": null}), &[]),
        (&json!({}), &[]),
    ] {
        let response = site.send(call(arguments, headers)).await;
        assert_eq!(response.status, 200, "{arguments} {headers:?}");
    }
    for headers in [
        &[("Mcp-Param-Region", "eu")][..],
        &[("Mcp-Param-Region", "EU"), ("Mcp-Param-Shard", "7")],
        &[("Mcp-Param-Region", "eu"), ("Mcp-Param-Shard", "8")],
        &[
            ("Mcp-Param-Region", "=?base64?ZXU?="),
            ("Mcp-Param-Shard", "7"),
        ],
    ] {
        refused(&site, call(&both, headers), 400, MISMATCH).await;
    }
    // The name of the tool comes first.
    let wrong = call(&both, &[]).header("Mcp-Name", "other");
    refused(&site, wrong, 400, MISMATCH).await;
}
