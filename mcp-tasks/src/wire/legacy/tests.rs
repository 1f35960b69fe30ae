use super::*;
use crate::model::capability::Capability;
use crate::wire::golden::check as golden;
use crate::wire::samples::{
    capabilities, count, deploy, failure, form, id, links, offer, ping, prompts, raw, rpc_error,
    sample, structured, task_id, text, url,
};

fn call_result(
    id: &RequestId,
    output: &CallOutput,
    revision: Revision,
    task: Option<Related<'_>>,
) -> Frame {
    super::call_result(id, &Arc::new(output.clone()), revision, task).joined()
}

const LEGACY: [Revision; 3] = [
    Revision::V2025_03_26,
    Revision::V2025_06_18,
    Revision::V2025_11_25,
];

fn greet(params: &str) -> Result<Hello, RpcError> {
    hello(&serde_json::from_str(params).expect("params"))
}

#[test]
fn a_known_revision_is_echoed_and_any_other_countered_with_the_newest_legacy_one() {
    for (requested, spoken) in [
        ("2025-03-26", Revision::V2025_03_26),
        ("2025-06-18", Revision::V2025_06_18),
        ("2025-11-25", Revision::V2025_11_25),
        ("2026-07-28", Revision::V2025_11_25),
        ("2024-11-05", Revision::V2025_11_25),
        ("next", Revision::V2025_11_25),
    ] {
        let params = format!(r#"{{"protocolVersion":"{requested}","capabilities":{{}}}}"#);
        assert_eq!(
            greet(&params).expect("hello").revision,
            spoken,
            "{requested}"
        );
    }
}

#[test]
fn capabilities_are_read_by_the_rules_of_the_revision_spoken() {
    let params = |version| {
        format!(r#"{{"protocolVersion":"{version}","capabilities":{{"elicitation":{{}}}}}}"#)
    };
    let has = |version| {
        greet(&params(version))
            .expect("hello")
            .capabilities
            .has(Capability::Elicitation)
    };
    assert!(!has("2025-03-26"));
    assert!(has("2025-11-25"));
    let bare = greet(r#"{"protocolVersion":"2025-11-25"}"#).expect("hello");
    assert_eq!(bare.capabilities, Capabilities::NONE);
}

#[test]
fn tools_that_come_and_go_are_declared_and_told() {
    for revision in LEGACY {
        let mut offer = offer(false, false);
        offer.tools_change = true;
        let frame = initialized(&id(1), revision, &offer);
        golden(revision, "initialize+changing", &frame);
        let frame = tools_list_changed();
        golden(revision, "notifications.tools.list_changed", &frame);
    }
}

#[test]
fn what_an_application_brings_is_declared_and_answered_as_it_is() {
    for revision in LEGACY {
        let mut offer = offer(false, false);
        offer.capabilities = capabilities();
        let frame = initialized(&id(1), revision, &offer);
        golden(revision, "initialize+capabilities", &frame);
        let frame = application_result(&id(1), &prompts());
        golden(revision, "prompts.list", &frame);
    }
}

#[test]
fn a_greeting_without_a_version_is_refused() {
    for params in [
        "{}",
        r#"{"protocolVersion":7}"#,
        r#"{"protocolVersion":"x","capabilities":7}"#,
    ] {
        assert_eq!(greet(params).expect_err("refused").code, -32602, "{params}");
    }
}

#[test]
fn the_handshake_offers_tasks_in_2025_11_25_alone() {
    for revision in LEGACY {
        golden(
            revision,
            "initialize+tasks",
            &initialized(&id(1), revision, &offer(true, true)),
        );
        golden(
            revision,
            "initialize+no_list",
            &initialized(&id(1), revision, &offer(true, false)),
        );
        let mut plain = offer(false, true);
        plain.instructions = None;
        plain.info.title = None;
        golden(
            revision,
            "initialize",
            &initialized(&id(1), revision, &plain),
        );
    }
}

#[test]
fn tools_are_listed_with_the_fields_of_the_revision() {
    for revision in LEGACY {
        let tools = |tasks| {
            let tools = [deploy(), ping(), count()];
            let tools = tools.map(|definition| tool(&definition, revision, tasks));
            format!("[{}]", tools.join(","))
        };
        golden(
            revision,
            "tools.list+tasks",
            &tools_list(&id(1), &tools(true)),
        );
        golden(revision, "tools.list", &tools_list(&id(1), &tools(false)));
    }
}

#[test]
fn results_have_the_fields_of_the_revision() {
    for revision in LEGACY {
        for (name, output) in [
            ("text", text("line\n\"two\"")),
            ("structured", structured()),
            ("error", failure("no such host")),
            ("links", links()),
        ] {
            let frame = call_result(&id(1), &output, revision, None);
            golden(revision, &format!("tools.call+{name}"), &frame);
        }
        let refused = crate::wire::modern::error(Some(&id(1)), &rpc_error());
        golden(revision, "tools.call+rpc_error", &refused);
    }
}

#[test]
fn structured_content_that_is_no_object_stays_text() {
    let output = CallOutput {
        structured: Some(raw("[1]")),
        ..text("[1]")
    };
    let frame = call_result(&id(1), &output, Revision::V2025_11_25, None);
    assert_eq!(
        frame,
        call_result(&id(1), &text("[1]"), Revision::V2025_11_25, None)
    );
}

#[test]
fn text_that_speaks_of_links_is_left_alone() {
    let output = text("a resource_link is not for 2025-03-26");
    let frame = call_result(&id(1), &output, Revision::V2025_03_26, None);
    assert_eq!(
        frame,
        call_result(&id(1), &output, Revision::V2025_06_18, None)
    );
}

#[test]
fn ping_and_set_level_are_answered_empty() {
    for revision in LEGACY {
        golden(revision, "ping", &empty(&RequestId::String("1".into())));
        golden(revision, "logging.setLevel", &empty(&id(2)));
    }
}

#[test]
fn a_request_to_the_client_relates_to_its_task_if_it_has_one() {
    for revision in LEGACY {
        let ask = sample();
        golden(
            revision,
            "sampling.createMessage",
            &request(&id(9), &ask, revision, None),
        );
        golden(
            revision,
            "roots.list",
            &request(&id(9), &InputRequest::Roots, revision, None),
        );
    }
    let old = Revision::V2025_06_18;
    golden(
        old,
        "elicitation.create",
        &request(&id(9), &form(), old, None),
    );
    let revision = Revision::V2025_11_25;
    golden(
        revision,
        "elicitation.create",
        &request(&id(9), &form(), revision, None),
    );
    let frame = request(&id(9), &form(), revision, Some(Related::Core(task_id())));
    golden(revision, "elicitation.create+task", &frame);
    golden(
        revision,
        "elicitation.create+url",
        &request(&id(9), &url(), revision, None),
    );
    let frame = request(&id(9), &sample(), revision, Some(Related::Core(task_id())));
    golden(revision, "sampling.createMessage+task", &frame);
    let frame = request(
        &id(9),
        &InputRequest::Roots,
        revision,
        Some(Related::Core(task_id())),
    );
    golden(revision, "roots.list+task", &frame);
}

#[test]
fn a_related_request_keeps_the_metadata_it_had() {
    for (meta, kept) in [(json!({ "a": 1 }), json!(1)), (json!(7), Value::Null)] {
        let InputRequest::Sample(mut params) = sample() else {
            unreachable!()
        };
        params.insert("_meta".into(), meta);
        let ask = InputRequest::Sample(params);
        let frame = request(
            &id(9),
            &ask,
            Revision::V2025_11_25,
            Some(Related::Core(task_id())),
        );
        let value: Value = serde_json::from_slice(&frame).expect("JSON");
        let meta = &value["params"]["_meta"];
        assert_eq!(meta["a"], kept);
        assert_eq!(
            meta["io.modelcontextprotocol/related-task"]["taskId"],
            task_id().as_str()
        );
    }
}

#[test]
fn a_revision_can_put_the_questions_it_has() {
    for (ask, first) in [
        (sample(), Revision::V2025_03_26),
        (InputRequest::Roots, Revision::V2025_03_26),
        (form(), Revision::V2025_06_18),
        (url(), Revision::V2025_11_25),
        (sample_with_tools(), Revision::V2025_11_25),
    ] {
        for revision in Revision::ALL {
            assert_eq!(
                input::expressible(&ask, revision).is_ok(),
                revision >= first,
                "{ask:?} {revision:?}"
            );
        }
    }
}

fn sample_with_tools() -> InputRequest {
    let InputRequest::Sample(mut params) = sample() else {
        unreachable!()
    };
    params.insert("tools".into(), json!([]));
    InputRequest::Sample(params)
}

#[test]
fn the_end_of_an_elicitation_is_told_by_its_id() {
    let frame = elicitation_complete("e-1");
    golden(
        Revision::V2025_11_25,
        "notifications.elicitation.complete",
        &frame,
    );
}

#[test]
fn a_request_of_the_servers_is_withdrawn_by_its_id() {
    for revision in LEGACY {
        golden(
            revision,
            "notifications.cancelled",
            &cancelled(&id(9), "nobody waits any more"),
        );
    }
}

#[test]
fn a_batch_is_answered_as_one_array() {
    let frames = [empty(&id(1)), empty(&id(2))];
    golden(Revision::V2025_03_26, "ping+batch", &batch(&frames));
    assert_eq!(batch(&[]), b"[]");
}
