//! Tools that come and go while the server runs, and who is told.

use mcp_tasks::prelude::*;
use mcp_tasks::testing::{ClientKind, every_client};
use mcp_tasks::{LiveTools, RuntimeTool};
use serde_json::{Value, json};
use tests::session::{SUBSCRIPTION_ID, Session, accepted};
use tests::tools::{Probe, add};

use ClientKind::{CoreTasks, TasksExtension, V2025_11_25, V2026_07_28};

const CHANGED: &str = "notifications/tools/list_changed";

fn server() -> (Server, LiveTools) {
    let tools = LiveTools::new();
    let server = Server::new("live")
        .tools(tools![add, open])
        .live_tools(&tools)
        .state(tools.clone());
    server.check().unwrap();
    (server, tools)
}

fn named(name: &str) -> RuntimeTool {
    let text = name.to_owned();
    RuntimeTool::new(name, "Says its name.", move |_, _| {
        let text = text.clone();
        async { text }
    })
}

/// Adds a tool.
#[mcp_tool]
async fn open(name: String, State(tools): State<LiveTools>) -> Result<(), mcp_tasks::Error> {
    tools.add(named(&name))
}

async fn names(client: &mut Session) -> Vec<String> {
    let list = client.request("tools/list", json!({})).await.unwrap();
    let tools = list["tools"].as_array().unwrap();
    let name = |tool: &Value| tool["name"].as_str().unwrap().to_owned();
    tools.iter().map(name).collect()
}

async fn listen(client: &mut Session, filter: Value) -> (Value, Value) {
    let params = json!({ "notifications": filter });
    let id = client.start("subscriptions/listen", params).await;
    let ack = client
        .notification("notifications/subscriptions/acknowledged")
        .await;
    (id, ack["params"]["notifications"].clone())
}

#[tokio::test(start_paused = true)]
async fn a_tool_can_be_called_from_when_it_is_added_until_it_is_removed() {
    for kind in every_client() {
        let (server, tools) = server();
        let mut client = Session::open(&server, kind).await;
        let unknown = client.call_plainly("late", json!({})).await.unwrap_err();
        assert_eq!(unknown.code, -32602, "{kind}");
        tools.add(named("late")).unwrap();
        assert_eq!(names(&mut client).await, ["add", "open", "late"], "{kind}");
        assert_eq!(
            client.call("late", json!({})).await.text(),
            "late",
            "{kind}"
        );
        assert!(tools.remove("late"));
        assert!(!tools.remove("late"));
        assert_eq!(names(&mut client).await, ["add", "open"], "{kind}");
        let unknown = client.call_plainly("late", json!({})).await.unwrap_err();
        assert_eq!(unknown.code, -32602, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_capability_says_that_the_list_changes() {
    for kind in every_client() {
        let (server, _) = server();
        let mut client = Session::open(&server, kind).await;
        let told = if kind.is_modern() {
            client.request("server/discover", json!({})).await.unwrap()
        } else {
            client.initialize_result().unwrap().clone()
        };
        let declared = &told["capabilities"]["tools"];
        assert_eq!(declared, &json!({ "listChanged": true }), "{kind}");
        let list = client.request("tools/list", json!({})).await.unwrap();
        if kind.is_modern() {
            assert_eq!(list["ttlMs"], 0);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_session_is_told_of_each_change_and_of_nothing_else() {
    for kind in [
        CoreTasks,
        V2025_11_25,
        ClientKind::V2025_06_18,
        ClientKind::V2025_03_26,
    ] {
        let (server, tools) = server();
        let mut client = Session::open(&server, kind).await;
        tools.add(named("a")).unwrap();
        client.notification(CHANGED).await;
        let (a, b) = (named("a"), named("b"));
        tools.replace([a, b]).unwrap();
        client.notification(CHANGED).await;
        tools.remove("c");
        assert!(tools.add(named("add")).is_err());
        assert_eq!(client.surprises().await, Vec::<Value>::new(), "{kind}");
        assert_eq!(names(&mut client).await, ["add", "open", "a", "b"]);
    }
}

#[tokio::test(start_paused = true)]
async fn who_listens_is_told_on_the_subscription() {
    for kind in [TasksExtension, V2026_07_28] {
        let (server, tools) = server();
        let mut client = Session::open(&server, kind).await;
        let (id, ack) = listen(&mut client, json!({ "toolsListChanged": true })).await;
        assert_eq!(ack, json!({ "toolsListChanged": true }));
        let opened = client.call_plainly("open", json!({ "name": "new" })).await;
        assert_ne!(opened.unwrap()["isError"], true);
        let told = client.notification(CHANGED).await;
        assert_eq!(told["params"]["_meta"][SUBSCRIPTION_ID], id);
        tools.add(named("x")).unwrap();
        client.notification(CHANGED).await;
        client
            .notify("notifications/cancelled", json!({ "requestId": id }))
            .await;
        client.request("server/discover", json!({})).await.unwrap();
        tools.add(named("y")).unwrap();
        assert_eq!(client.leftovers().await, Vec::<Value>::new());
    }
}

#[tokio::test(start_paused = true)]
async fn who_does_not_ask_for_it_is_not_told() {
    let (server, tools) = server();
    let mut client = Session::open(&server, V2026_07_28).await;
    let (_, ack) = listen(&mut client, json!({ "promptsListChanged": true })).await;
    assert_eq!(ack, json!({}));
    tools.add(named("x")).unwrap();
    assert_eq!(client.leftovers().await, Vec::<Value>::new());
}

#[tokio::test(start_paused = true)]
async fn a_server_whose_tools_stay_accepts_no_such_subscription() {
    let server = Server::new("plain").tools(tools![add]);
    let mut client = Session::open(&server, V2026_07_28).await;
    let (_, ack) = listen(&mut client, json!({ "toolsListChanged": true })).await;
    assert_eq!(ack, json!({}));
}

#[tokio::test(start_paused = true)]
async fn a_run_goes_on_without_its_tool() {
    let (server, tools) = server();
    let probe = Probe::default();
    let inside = probe.clone();
    let nap = RuntimeTool::new("nap", "Sleeps.", move |_, _| {
        let inside = inside.enter();
        async move {
            tokio::time::sleep(Duration::from_secs(5)).await;
            drop(inside);
            "rested"
        }
    });
    tools.add(nap.task()).unwrap();
    let mut client = Session::open(&server, TasksExtension).await;
    let task = client.start_task("nap", json!({})).await;
    client.get_until(&task, "working").await;
    assert!(tools.remove("nap"));
    let done = client.get_until(&task, "completed").await;
    assert_eq!(tests::session::text(&done["result"]), "rested");
    assert_eq!((probe.started(), probe.dropped()), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn a_parked_call_survives_a_change_of_other_tools() {
    let (server, tools) = server();
    let ask = RuntimeTool::new("ask", "Asks.", |ctx: Context, _| async move {
        ctx.confirm("Sure?").await.map(|yes| yes.to_string())
    });
    tools.add(ask).unwrap();
    let mut client = Session::open(&server, V2026_07_28).await;
    let asked = client.call_plainly("ask", json!({})).await.unwrap();
    tools.add(named("other")).unwrap();
    let params = json!({
        "name": "ask",
        "arguments": {},
        "requestState": asked["requestState"],
        "inputResponses": { "confirm": accepted(json!({ "confirm": true })) },
    });
    let done = client.request("tools/call", params).await.unwrap();
    assert_eq!(tests::session::text(&done), "true");
}

#[tokio::test(start_paused = true)]
async fn a_tool_of_the_same_name_takes_the_place_of_the_first() {
    let (server, tools) = server();
    let mut client = Session::open(&server, V2026_07_28).await;
    tools.add(named("x")).unwrap();
    tools
        .add(RuntimeTool::new("x", "Newer.", |_, _| async { "newer" }))
        .unwrap();
    assert_eq!(names(&mut client).await, ["add", "open", "x"]);
    assert_eq!(client.call("x", json!({})).await.text(), "newer");
}

#[tokio::test(start_paused = true)]
async fn a_change_that_cannot_be_changes_nothing() {
    let (server, tools) = server();
    let mut client = Session::open(&server, V2026_07_28).await;
    tools.add(named("kept")).unwrap();
    let taken = tools
        .replace([named("new"), named("add")])
        .unwrap_err()
        .to_string();
    assert_eq!(
        taken,
        "two tools are named `add`; give one of them another name"
    );
    let twice = tools
        .replace([named("new"), named("new")])
        .unwrap_err()
        .to_string();
    assert!(twice.contains("two tools are named `new`"), "{twice}");
    assert!(tools.add(named("")).is_err());
    assert_eq!(names(&mut client).await, ["add", "open", "kept"]);
}

#[test]
fn a_set_that_no_server_offers_yet_is_checked_where_it_is_made_and_at_start() {
    let tools = LiveTools::new();
    assert!(tools.add(named("no name")).is_err());
    tools.add(named("add")).unwrap();
    let server = Server::new("x").tools(tools![add]).live_tools(&tools);
    let text = server.check().unwrap_err().to_string();
    assert_eq!(
        text,
        "two tools are named `add`; give one of them another name"
    );
}
