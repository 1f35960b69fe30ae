use super::*;
use crate::wire::samples::{
    capabilities, count, deploy, failure, form, id, info, links, object, offer, ping, prompts, raw,
    rpc_error, sample, structured, text, url,
};

fn call_result(id: &RequestId, output: &CallOutput, info: &ServerInfo) -> Frame {
    super::call_result(id, &Arc::new(output.clone()), info).joined()
}

fn golden(name: &str, frame: &[u8]) {
    crate::wire::golden::check(Revision::V2026_07_28, name, frame);
}

#[test]
fn discovery_tells_versions_capabilities_and_how_long_they_hold() {
    let discover_id = RequestId::String("d1".into());
    golden(
        "server.discover",
        &discover(&discover_id, &offer(true, false)),
    );
}

#[test]
fn a_server_without_task_tools_has_no_extension() {
    let mut offer = offer(false, false);
    offer.instructions = None;
    offer.info.title = None;
    golden("server.discover+plain", &discover(&id(1), &offer));
}

#[test]
fn what_an_application_brings_stands_beside_what_the_server_offers() {
    for (name, tasks) in [
        ("server.discover+capabilities", true),
        ("server.discover+capabilities_plain", false),
    ] {
        let mut offer = offer(tasks, false);
        offer.capabilities = capabilities();
        golden(name, &discover(&id(1), &offer));
    }
}

fn listed(definitions: &[ToolDef]) -> String {
    let tools: Vec<_> = definitions.iter().map(tool).collect();
    format!("[{}]", tools.join(","))
}

#[test]
fn tools_that_come_and_go_are_declared_and_their_list_is_not_to_be_kept() {
    let mut offer = offer(true, false);
    offer.tools_change = true;
    golden("server.discover+changing", &discover(&id(1), &offer));
    let frame = tools_list(&id(1), &listed(&[ping()]), &offer);
    golden("tools.list+changing", &frame);
    golden(
        "notifications.tools.list_changed",
        &tools_list_changed(&RequestId::String("s-1".into())),
    );
}

#[test]
fn a_list_that_depends_on_its_caller_is_private() {
    let mut offer = offer(true, false);
    offer.tools_vary = true;
    let frame = tools_list(&id(1), &listed(&[ping()]), &offer);
    golden("tools.list+private", &frame);
}

#[test]
fn an_application_s_list_may_not_be_kept_unless_it_says_so() {
    golden(
        "prompts.list",
        &application_result(&id(1), &prompts(), true, &info()),
    );
    let mut kept = prompts();
    kept.insert("ttlMs".into(), 1_000.into());
    kept.insert("cacheScope".into(), "public".into());
    let frame = application_result(&id(1), &kept, true, &info());
    golden("prompts.list+kept", &frame);
}

#[test]
fn an_application_s_result_names_the_server_and_not_another_type() {
    let members = object(serde_json::json!({
        "resultType": "task",
        "messages": [],
        "_meta": { "ops.test/build": 7, "io.modelcontextprotocol/serverInfo": { "name": "x" } },
    }));
    let frame = application_result(&id(1), &members, false, &info());
    golden("prompts.get", &frame);
}

#[test]
fn tools_are_listed_without_execution_and_with_any_output_schema() {
    let tools = listed(&[deploy(), ping(), count()]);
    golden(
        "tools.list",
        &tools_list(&id(1), &tools, &offer(true, false)),
    );
    golden(
        "tools.list+empty",
        &tools_list(&id(1), &listed(&[]), &offer(false, false)),
    );
}

#[test]
fn every_result_of_a_tool_names_its_type_and_the_server() {
    golden(
        "tools.call+text",
        &call_result(&id(1), &text("line\n\"two\""), &info()),
    );
    golden(
        "tools.call+structured",
        &call_result(&id(1), &structured(), &info()),
    );
    golden(
        "tools.call+error",
        &call_result(&id(1), &failure("no such host"), &info()),
    );
    golden("tools.call+links", &call_result(&id(1), &links(), &info()));
}

#[test]
fn structured_content_may_be_null() {
    let output = CallOutput {
        structured: Some(raw("null")),
        ..text("null")
    };
    golden("tools.call+null", &call_result(&id(1), &output, &info()));
}

#[test]
fn a_tool_cannot_name_another_server() {
    let meta = raw(r#"{"a":1,"io.modelcontextprotocol/serverInfo":{"name":"x"},"b":2}"#);
    let frame = call_result(
        &id(1),
        &CallOutput {
            meta: Some(meta),
            ..text("")
        },
        &info(),
    );
    let value: serde_json::Value = serde_json::from_slice(&frame).expect("JSON");
    let meta = &value["result"]["_meta"];
    assert_eq!(meta["io.modelcontextprotocol/serverInfo"]["name"], "ops");
    assert_eq!((&meta["a"], &meta["b"]), (&1.into(), &2.into()));
    assert_eq!(
        String::from_utf8(frame)
            .expect("UTF-8")
            .matches("serverInfo")
            .count(),
        1
    );
}

#[test]
fn an_empty_meta_of_a_tool_leaves_no_comma() {
    let output = CallOutput {
        meta: Some(raw("{ }")),
        ..text("")
    };
    assert_eq!(
        call_result(&id(1), &output, &info()),
        call_result(&id(1), &text(""), &info())
    );
}

#[test]
fn questions_leave_together_as_one_result() {
    let sample = sample();
    let requests = [("name \"it\"", &sample), ("roots", &InputRequest::Roots)];
    let frame = input_required(&id(1), &requests, Some("opaque"), &info());
    golden("tools.call+input_required", &frame);
    let (form, url) = (form(), url());
    let frame = input_required(&id(1), &[("form", &form), ("url", &url)], None, &info());
    golden("tools.call+elicitation", &frame);
    let frame = input_required(&id(1), &[], Some("later"), &info());
    golden("tools.call+state_alone", &frame);
}

#[test]
fn an_acknowledgement_names_what_is_served_and_its_subscription() {
    let both = ListenFilter {
        tools_list_changed: true,
        task_ids: Some(vec!["abc".into()]),
    };
    golden(
        "notifications.subscriptions.acknowledged",
        &listen_acknowledged(&id(7), &both),
    );
    let nothing = listen_acknowledged(&RequestId::String("7".into()), &ListenFilter::default());
    golden("notifications.subscriptions.acknowledged+nothing", &nothing);
    let none = ListenFilter {
        tools_list_changed: false,
        task_ids: Some(Vec::new()),
    };
    golden(
        "notifications.subscriptions.acknowledged+no_task",
        &listen_acknowledged(&id(7), &none),
    );
}

#[test]
fn a_subscription_ends_with_a_result() {
    golden("subscriptions.listen", &listen_ended(&id(7), &info()));
}

#[test]
fn an_error_has_the_id_that_could_be_read() {
    golden("tools.call+rpc_error", &error(Some(&id(1)), &rpc_error()));
    let parse = RpcError::new(RpcError::PARSE, "Parse error");
    golden("tools.call+no_id", &error(None, &parse));
    let huge = RequestId::Huge("340282366920938463463374607431768211456".into());
    golden(
        "tools.call+huge_id",
        &error(Some(&huge), &RpcError::invalid_params("no")),
    );
    for (name, refusal) in [
        ("tools.call+missing_capability", {
            crate::wire::meta::missing_capability(crate::model::capability::Capability::Tasks)
        }),
        ("tools.call+unsupported_version", {
            let json = raw(
                r#"{"io.modelcontextprotocol/protocolVersion":"x","io.modelcontextprotocol/clientCapabilities":{}}"#,
            );
            let meta = crate::wire::meta::Meta::read(Some(&json)).expect("readable");
            meta.modern().expect_err("unsupported")
        }),
    ] {
        golden(name, &error(Some(&id(1)), &refusal));
    }
}
