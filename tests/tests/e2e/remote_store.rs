//! Tasks in a store that takes its time, or fails.

use mcp_tasks::prelude::*;
use mcp_tasks::testing::{ClientKind, tables};
use serde_json::{Value, json};
use tests::session::{Session, TASK_CLIENTS, accepted, text};
use tests::stores::RemoteStore;
use tests::tools::{Name, Probe, ask, echo, nap};

use ClientKind::{CoreTasks, TasksExtension};

const A_WHILE: Duration = Duration::from_millis(50);

/// Says what it does, and works all the while.
#[mcp_tool(task)]
async fn busy(ctx: Context) -> String {
    for _ in 0..100 {
        // Always the same, so that the record does not change and wakes nobody.
        ctx.status("working");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    "done".into()
}

/// Asks, and works until the answer is there.
#[mcp_tool(task)]
async fn ask_and_tick(ctx: Context) -> Result<String, ToolError> {
    let ticks = async {
        for _ in 0..50 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let question = async { ctx.elicit::<Name>("Who?").key("name").await };
    let (answer, ()) = tokio::join!(question, ticks);
    Ok(format!("{:?}", answer?.accepted().is_some()))
}

/// Asks, and beside that asks something else this long after its start.
#[mcp_tool(task)]
async fn ask_beside(millis: u64, ctx: Context) -> Result<String, ToolError> {
    let beside = tokio::spawn({
        let ctx = ctx.clone();
        async move {
            tokio::time::sleep(Duration::from_millis(millis)).await;
            ctx.elicit::<Name>("And who else?").key("other").await
        }
    });
    let one = ctx.elicit::<Name>("Who?").key("one").await?;
    let other = beside.await.expect("it does not panic")?;
    Ok(format!(
        "{:?}",
        one.accepted().is_some() && other.accepted().is_some()
    ))
}

fn server(store: &RemoteStore) -> (Server, Probe) {
    let probe = Probe::default();
    let server = Server::new("remote")
        .tools(tools![ask, ask_and_tick, ask_beside, busy, echo, nap])
        .state(probe.clone())
        .store(store.clone());
    (server, probe)
}

#[tokio::test(start_paused = true)]
async fn a_body_goes_on_while_the_store_takes_its_time() {
    let (server, _) = server(&RemoteStore::slow(A_WHILE));
    for kind in TASK_CLIENTS {
        let mut client = Session::open(&server, kind).await;
        let task = client.start_task("busy", json!({})).await;
        client.get_until(&task, "completed").await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_goes_on_while_its_question_is_written_down() {
    let (server, _) = server(&RemoteStore::slow(A_WHILE));
    let mut client = Session::open(&server, TasksExtension).await;
    let task = client.start_task("ask_and_tick", json!({})).await;
    client.get_until(&task, "input_required").await;
    let answers = json!({ "name": accepted(json!({ "name": "Ada" })) });
    client.update(&task, answers).await.unwrap();
    let ended = client.get_until(&task, "completed").await;
    assert_eq!(text(&ended["result"]), "true");
}

#[tokio::test(start_paused = true)]
async fn an_answered_question_is_put_to_nobody_while_its_answer_is_written_down() {
    let store = RemoteStore::default();
    let (server, _) = server(&store);
    let mut first = Session::open(&server, CoreTasks).await;
    let task = first.start_task("ask", json!({})).await;
    let question = first.server_request().await;
    store.queue_changes(Duration::from_secs(10));
    let answer = accepted(json!({ "name": "Ada" }));
    first.respond(&question["id"], answer).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    drop(first);

    let mut second = Session::open(&server, CoreTasks).await;
    let waiting = second
        .start("tasks/result", json!({ "taskId": task["taskId"] }))
        .await;
    let result = second.response(&waiting).await.unwrap();
    assert_eq!(text(&result), "Hello, Ada!");
    let asked = second.transcript().iter();
    let asked = asked.filter(|(_, message)| message["method"] == "elicitation/create");
    assert_eq!(asked.count(), 0);
}

/// An answer to a question that the record does not have would be taken by nobody.
#[tokio::test(start_paused = true)]
async fn what_is_asked_while_another_question_is_written_down_is_written_down_first() {
    let store = RemoteStore::slow(A_WHILE);
    let (server, _) = server(&store);
    let mut client = Session::open(&server, CoreTasks).await;
    let task = client
        .start_task("ask_beside", json!({ "millis": 10 }))
        .await;
    for _ in 0..2 {
        let question = client.server_request().await;
        let answer = accepted(json!({ "name": "Ada" }));
        client.respond(&question["id"], answer).await;
    }
    let result = client.about("tasks/result", &task).await.unwrap();
    assert_eq!(text(&result), "true");
}

#[tokio::test(start_paused = true)]
async fn an_answered_question_is_not_put_again_with_one_that_is_asked_meanwhile() {
    let store = RemoteStore::default();
    let (server, _) = server(&store);
    let mut client = Session::open(&server, CoreTasks).await;
    let task = client
        .start_task("ask_beside", json!({ "millis": 1000 }))
        .await;
    for _ in 0..2 {
        let question = client.server_request().await;
        store.queue_changes(Duration::from_secs(10));
        let answer = accepted(json!({ "name": "Ada" }));
        client.respond(&question["id"], answer).await;
    }
    let result = client.about("tasks/result", &task).await.unwrap();
    assert_eq!(text(&result), "true");
    let asked = client.transcript().iter();
    let asked = asked.filter(|(_, message)| message["method"] == "elicitation/create");
    assert_eq!(asked.count(), 2);
}

#[tokio::test(start_paused = true)]
async fn whoever_waits_for_a_result_waits_on_while_an_answer_in_time_is_written_down() {
    let store = RemoteStore::default();
    store.shorten_questions(Duration::from_secs(60));
    let (server, _) = server(&store);
    let mut client = Session::open(&server, CoreTasks).await;
    let task = client.start_task("ask", json!({})).await;
    let question = client.server_request().await;
    tokio::time::sleep(Duration::from_secs(55)).await;
    store.queue_changes(Duration::from_secs(10));
    let answer = accepted(json!({ "name": "Ada" }));
    client.respond(&question["id"], answer).await;
    tokio::time::sleep(Duration::from_secs(6)).await;

    let id = json!({ "taskId": task["taskId"] });
    let result = client.request("tasks/result", id).await.unwrap();
    assert_eq!(text(&result), "Hello, Ada!");
}

#[tokio::test(start_paused = true)]
async fn no_list_names_a_task_before_the_reply_that_makes_it() {
    let (server, _) = server(&RemoteStore::slow(A_WHILE));
    let mut client = Session::open(&server, CoreTasks).await;
    let creating = client.start_call("nap", json!({ "millis": 10_000 })).await;
    let listing = client.start("tasks/list", json!({})).await;
    let list = client.response(&listing).await.unwrap();
    let order: Vec<_> = client
        .transcript()
        .iter()
        .filter_map(|(_, message)| message.get("result").map(|_| &message["id"]))
        .collect();
    let created_first = order.ends_with(&[&creating, &listing]);
    assert!(created_first || list["tasks"] == json!([]), "{list}");
    let task = client.response(&creating).await.unwrap()["task"].clone();
    let list = client.request("tasks/list", json!({})).await.unwrap();
    assert_eq!(list["tasks"][0]["taskId"], task["taskId"]);
}

#[tokio::test(start_paused = true)]
async fn a_result_survives_a_store_that_fails_for_a_moment() {
    for kind in TASK_CLIENTS {
        let store = RemoteStore::default();
        let (server, probe) = server(&store);
        let mut client = Session::open(&server, kind).await;
        let task = client.start_task("nap", json!({ "millis": 1000 })).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        store.fail(2);
        tokio::time::sleep(Duration::from_secs(5)).await;
        assert_eq!(probe.dropped(), 1, "{kind}");
        client.get_until(&task, "completed").await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_start_survives_a_store_that_fails_for_a_moment() {
    let store = RemoteStore::slow(A_WHILE);
    let (server, _) = server(&store);
    let mut client = Session::open(&server, TasksExtension).await;
    let id = client.start_call("ask", json!({})).await;
    // The record is being made; what comes next is the start.
    tokio::time::sleep(A_WHILE / 2).await;
    store.fail(1);
    let task = client.response(&id).await.unwrap();
    let now = client.get_until(&task, "input_required").await;
    assert!(now["inputRequests"]["name"].is_object(), "{now}");
}

#[tokio::test(start_paused = true)]
async fn a_body_whose_start_cannot_be_written_down_never_starts() {
    let store = RemoteStore::slow(A_WHILE);
    let (server, probe) = server(&store);
    let mut client = Session::open(&server, TasksExtension).await;
    client.start_task("nap", json!({ "millis": 10_000 })).await;
    store.fail(1000);
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!((probe.started(), tables(&server).task_runs), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn a_cancel_is_heard_though_the_store_cannot_be_read_at_once() {
    let store = RemoteStore::slow(A_WHILE);
    let (server, probe) = server(&store);
    let mut client = Session::open(&server, TasksExtension).await;
    let task = client
        .start_task("nap", json!({ "millis": 3_600_000 }))
        .await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let id = client
        .start("tasks/cancel", json!({ "taskId": task["taskId"] }))
        .await;
    // The cancel has read the record twice and is about to write it; the next to read is the run.
    tokio::time::sleep(A_WHILE * 3 / 2).await;
    store.fail_reads(1);
    client.response(&id).await.unwrap();
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(probe.dropped(), 1);
    client.get_until(&task, "cancelled").await;
}

#[tokio::test(start_paused = true)]
async fn a_cancel_is_heard_in_the_queue_though_the_store_cannot_be_read_at_once() {
    let store = RemoteStore::slow(A_WHILE);
    let (server, probe) = server(&store);
    let server = server.configure("nap", |policy| policy.max_running = Some(1));
    let mut client = Session::open(&server, TasksExtension).await;
    let nap = json!({ "millis": 3_600_000 });
    client.start_task("nap", nap.clone()).await;
    let queued = client.start_task("nap", nap).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let id = client
        .start("tasks/cancel", json!({ "taskId": queued["taskId"] }))
        .await;
    // As above: the next to read is the run.
    tokio::time::sleep(A_WHILE * 3 / 2).await;
    store.fail_reads(1);
    client.response(&id).await.unwrap();
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!((probe.started(), tables(&server).task_runs), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn an_answer_reaches_the_body_though_the_store_fails() {
    let store = RemoteStore::default();
    let (server, _) = server(&store);
    let mut client = Session::open(&server, CoreTasks).await;
    let task = client.start_task("ask", json!({})).await;
    let question = client.server_request().await;
    store.fail(1);
    let answer = accepted(json!({ "name": "Ada" }));
    client.respond(&question["id"], answer).await;
    client.get_until(&task, "completed").await;
    let result = client.about("tasks/result", &task).await.unwrap();
    assert_eq!(text(&result), "Hello, Ada!");
}

#[tokio::test(start_paused = true)]
async fn a_store_that_hangs_does_not_keep_the_connection() {
    let store = RemoteStore::default();
    let (server, _) = server(&store);
    let mut client = Session::open(&server, TasksExtension).await;
    let task = client.start_task("echo", json!({ "text": "x" })).await;
    store.hang();
    let get = client
        .start("tasks/get", json!({ "taskId": task["taskId"] }))
        .await;
    let call = client.start_call("nap", json!({ "millis": 1000 })).await;
    assert!(client.finish().await.is_ok());
    for id in [get, call] {
        let refused: Result<Value, _> = client.response(&id).await;
        assert_eq!(refused.unwrap_err().code, -32603);
    }
}
