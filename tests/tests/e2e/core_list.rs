//! `tasks/list` of 2025-11-25, over stdio, where the process is the owner.

use std::collections::HashSet;

use mcp_tasks::testing::ClientKind;
use serde_json::{Value, json};
use tests::session::{RELATED_TASK, Session};
use tests::tools::server;

use ClientKind::CoreTasks;

async fn every_page(client: &mut Session) -> Vec<Value> {
    let mut tasks = Vec::new();
    let mut params = Value::Null;
    for _ in 0..100 {
        let page = client.request("tasks/list", params).await.unwrap();
        tasks.extend(page["tasks"].as_array().expect("tasks").iter().cloned());
        match page.get("nextCursor") {
            Some(cursor) => params = json!({ "cursor": cursor }),
            None => return tasks,
        }
    }
    panic!("the list has no end");
}

#[tokio::test(start_paused = true)]
async fn it_is_empty_at_first() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    assert_eq!(every_page(&mut client).await, Vec::<Value>::new());
}

#[tokio::test(start_paused = true)]
async fn every_task_that_can_be_read_is_listed_once() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    let mut made = HashSet::new();
    for _ in 0..250 {
        let task = client.start_task("echo", json!({ "text": "x" })).await;
        made.insert(task["taskId"].as_str().expect("a string").to_owned());
    }
    let listed = every_page(&mut client).await;
    assert_eq!(listed.len(), made.len());
    let ids: HashSet<String> = listed
        .iter()
        .filter_map(|task| Some(task["taskId"].as_str()?.to_owned()))
        .collect();
    assert_eq!(ids, made);
}

#[tokio::test(start_paused = true)]
async fn a_long_list_comes_in_pages() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    for _ in 0..250 {
        client.start_task("echo", json!({ "text": "x" })).await;
    }
    let page = client.request("tasks/list", Value::Null).await.unwrap();
    assert!(page["nextCursor"].is_string(), "250 tasks on one page");
    let again = client
        .request("tasks/list", json!({ "cursor": page["nextCursor"] }))
        .await
        .unwrap();
    assert_ne!(again["tasks"], page["tasks"]);
}

#[tokio::test(start_paused = true)]
async fn a_listed_task_is_the_task_and_has_no_relation() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    let task = client.start_task("export", json!({})).await;
    let now = client.get_until(&task, "completed").await;
    let page = client.request("tasks/list", json!({})).await.unwrap();
    let listed = &page["tasks"][0];
    for field in [
        "taskId",
        "status",
        "createdAt",
        "lastUpdatedAt",
        "ttl",
        "pollInterval",
    ] {
        assert_eq!(listed[field], now[field], "{field}");
    }
    assert!(page["_meta"].get(RELATED_TASK).is_none(), "{page}");
}

#[tokio::test(start_paused = true)]
async fn a_cursor_nobody_gave_out_is_refused() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    client.start_task("export", json!({})).await;
    for cursor in [json!("bogus"), json!(7)] {
        let error = client
            .request("tasks/list", json!({ "cursor": cursor }))
            .await
            .unwrap_err();
        assert_eq!(error.code, -32602, "{cursor}");
    }
}

#[tokio::test(start_paused = true)]
async fn tasks_of_the_other_era_are_not_listed() {
    let (server, _) = server();
    let mut modern = Session::open(&server, ClientKind::TasksExtension).await;
    modern.start_task("export", json!({})).await;
    let mut client = Session::open(&server, CoreTasks).await;
    assert_eq!(every_page(&mut client).await, Vec::<Value>::new());
}

#[tokio::test(start_paused = true)]
async fn a_full_page_that_is_the_last_one_leads_to_an_empty_one_or_to_none() {
    for count in [50, 51, 100] {
        let mut client = Session::open(&server().0, CoreTasks).await;
        for _ in 0..count {
            client.start_task("export", json!({})).await;
        }
        assert_eq!(every_page(&mut client).await.len(), count);
    }
}

#[tokio::test(start_paused = true)]
async fn a_list_goes_on_where_a_task_stood_that_is_gone() {
    let mut client = Session::open(&server().0, CoreTasks).await;
    for _ in 0..50 {
        client.start_task("keep", json!({ "millis": 1 })).await;
    }
    let mut later = HashSet::new();
    for _ in 0..10 {
        let task = client
            .start_task("nap", json!({ "millis": 3_600_000 }))
            .await;
        later.insert(task["taskId"].as_str().expect("a string").to_owned());
    }
    let page = client.request("tasks/list", json!({})).await.unwrap();
    let cursor = json!({ "cursor": page["nextCursor"] });
    tokio::time::sleep(std::time::Duration::from_secs(6 * 60)).await;
    let gone = client.about("tasks/get", &page["tasks"][49]).await;
    assert_eq!(gone.unwrap_err().code, -32602);
    let rest = client.request("tasks/list", cursor).await.unwrap();
    let listed: HashSet<String> = rest["tasks"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|task| Some(task["taskId"].as_str()?.to_owned()))
        .collect();
    assert_eq!(listed, later);
}
