//! A call under way: sent, followed and answered until it ends.

use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::time::{Instant, sleep_until};

use super::client::{Client, is_response};
use super::draft;
use super::kind::ClientKind;
use super::outcome::{End, ErrorReply, Outcome};
use super::script::{Question, Reply, Script};

/// What relates a message to a task.
const RELATED: &str = "io.modelcontextprotocol/related-task";

/// The longest pause between two polls while a report is awaited.
const AWAITING: Duration = Duration::from_millis(50);

/// A call under way.
pub(super) struct Run<'c> {
    client: &'c mut Client,
    tool: String,
    script: Script,
    progress: bool,
    /// The progress tokens of this call, one for each time it was sent.
    tokens: Vec<Value>,
    /// Messages that are none of this call's.
    others: Vec<Value>,
    /// When the call is to be cancelled.
    cancel_at: Option<Instant>,
    /// The report at which it is to be cancelled.
    awaited: Option<String>,
    /// The requests that cancelled its task; their responses say nothing more.
    cancels: Vec<Value>,
    /// What questions got so far, by their keys.
    given: Vec<(String, Reply)>,
    pub(super) outcome: Outcome,
}

impl<'c> Run<'c> {
    pub(super) fn new(
        client: &'c mut Client,
        tool: String,
        script: Script,
        progress: bool,
    ) -> Self {
        let outcome = Outcome::new(client.kind());
        Self {
            client,
            tool,
            script,
            progress,
            tokens: Vec::new(),
            others: Vec::new(),
            cancel_at: None,
            awaited: None,
            cancels: Vec::new(),
            given: Vec::new(),
            outcome,
        }
    }

    /// Cancels the call once this has passed.
    pub(super) fn cancel_after(&mut self, time: Duration) {
        self.cancel_at = Some(Instant::now() + time);
    }

    /// Cancels the call once it has reported this.
    pub(super) fn cancel_at_report(&mut self, text: String) {
        self.awaited = Some(text);
    }

    /// Makes the call with these parameters and takes it to its end.
    pub(super) async fn finish(mut self, params: Map<String, Value>) -> Outcome {
        self.outcome.end = self.send_until_done(params).await;
        if self.client.kind() == ClientKind::Draft {
            self.see_draft_task().await;
        }
        if let Some(text) = &self.awaited {
            let place = self.client.place();
            panic!(
                "{place}it ended before it reported `{text}`: {:?}",
                self.outcome
            );
        }
        let left = self.script.left();
        assert!(
            left.is_empty() || !self.client.setup.can_be_asked(),
            "{}it ended with replies left over: {left:?}",
            self.client.place()
        );
        self.client.put_back(self.others);
        self.client.calling = None;
        self.outcome
    }

    /// Sends the call, and again as often as it comes back with questions.
    async fn send_until_done(&mut self, mut params: Map<String, Value>) -> End {
        // Questions that stay open: they come again with every round.
        let mut open = Vec::new();
        loop {
            self.set_meta(&mut params);
            let result = match self
                .exchange("tools/call", Value::Object(params.clone()))
                .await
            {
                Ok(result) => result,
                Err(end) => return end,
            };
            if result["resultType"] == "input_required" {
                let answers = self.answers(&result["inputRequests"], &mut open);
                open.retain(|key| !answers.contains_key(key));
                if answers.is_empty() && !result["inputRequests"].is_null() {
                    return End::Unanswered;
                }
                params.insert("inputResponses".to_owned(), Value::Object(answers));
                params.remove("requestState");
                if let Some(state) = result.get("requestState") {
                    params.insert("requestState".to_owned(), state.clone());
                }
            } else if result["resultType"] == "task" {
                return self.follow_extension_task(result).await;
            } else if result["task"].is_object() {
                return self.follow_core_task(&result["task"]).await;
            } else {
                return End::Result(result);
            }
        }
    }

    /// Polls a 2026-07-28 task, faster than it asks for at first.
    async fn follow_extension_task(&mut self, created: Value) -> End {
        let id = created["taskId"].clone();
        let interval = Duration::from_millis(created["pollIntervalMs"].as_u64().unwrap_or(1000));
        let mut pause = Duration::from_millis(5).min(interval);
        let mut asked = Vec::new();
        self.saw(&created);
        let mut changed = (Instant::now(), created.clone());
        self.outcome.task = Some(created);
        loop {
            self.pause(pause).await;
            let longest = if self.awaited.is_some() {
                interval.min(AWAITING)
            } else {
                interval
            };
            pause = (pause * 2).min(longest);
            let task = match self.exchange("tasks/get", json!({ "taskId": id })).await {
                Ok(task) => task,
                Err(end) => return end,
            };
            self.saw(&task);
            match task["status"].as_str() {
                Some("completed") => return End::Result(task["result"].clone()),
                Some("failed") => return End::Error(ErrorReply::read(&task["error"])),
                Some("cancelled") => return End::Cancelled,
                Some("input_required") => {
                    self.update(&id, &task["inputRequests"], &mut asked).await;
                }
                _ => {}
            }
            let patience = self.client.setup.patience;
            // A task that is to be cancelled later has every right to stay as it is.
            if task != changed.1 || self.cancel_at.is_some() {
                changed = (Instant::now(), task);
            }
            assert!(
                changed.0.elapsed() <= patience,
                "{}the task stayed as it was for {patience:?}: {}",
                self.client.place(),
                changed.1
            );
        }
    }

    /// Waits on `tasks/result` of a 2025-11-25 task, where its questions come too.
    async fn follow_core_task(&mut self, created: &Value) -> End {
        let id = created["taskId"].clone();
        self.outcome.task = Some(created.clone());
        self.saw(created);
        let end = self.exchange("tasks/result", json!({ "taskId": id })).await;
        if let Ok(task) = self.exchange("tasks/get", json!({ "taskId": id })).await {
            self.saw(&task);
        }
        end.map_or_else(|end| end, End::Result)
    }

    /// Sends what the script has for the questions not `asked` before; a refused answer is asked again.
    async fn update(&mut self, id: &Value, requests: &Value, asked: &mut Vec<String>) {
        let answers = self.answers(requests, asked);
        if answers.is_empty() {
            return;
        }
        let keys: Vec<String> = answers.keys().cloned().collect();
        let update = json!({ "taskId": id, "inputResponses": answers });
        if let Err(End::Error(error)) = self.exchange("tasks/update", update).await {
            self.outcome.refused.push(error);
            asked.retain(|key| !keys.contains(key));
        }
    }

    /// The script's answers to `inputRequests` not `asked` before; what it never answers is left out.
    fn answers(&mut self, requests: &Value, asked: &mut Vec<String>) -> Map<String, Value> {
        let mut answers = Map::new();
        for (key, request) in requests.as_object().into_iter().flatten() {
            if asked.contains(key) {
                continue;
            }
            asked.push(key.clone());
            let reply = self.ask(Some(key), &request["method"], &request["params"]);
            if let Some(result) = reply.result() {
                answers.insert(key.clone(), result);
            }
        }
        answers
    }

    fn ask(&mut self, key: Option<&String>, method: &Value, params: &Value) -> Reply {
        let method = method.as_str().unwrap_or_default().to_owned();
        let question = Question {
            key: key.cloned(),
            method,
            params: params.clone(),
        };
        let reply = self.scripted(&question);
        if let (Some(key), Some(_)) = (key, reply.result()) {
            self.given.push((key.clone(), reply.clone()));
        }
        if let Some(why) = question.lacks(&reply) {
            let place = self.client.place();
            panic!("{place}`{}` asked, and {why}: {question:?}", self.tool);
        }
        if reply == Reply::CancelCall {
            self.cancel_at = Some(Instant::now());
        }
        self.outcome.questions.push(question);
        reply
    }

    /// What the script has to say to the question.
    fn scripted(&mut self, question: &Question) -> Reply {
        let reply = self.script.reply(question);
        // A 2026-07-28 server asks again for what does not fit, under the same key.
        let given = self.given.iter();
        let mut before = given.filter(|(key, _)| Some(key) == question.key.as_ref());
        let (again, lack) = match reply {
            None => (before.next().is_some(), "has no answer"),
            Some(reply) if before.any(|(_, given)| *given == reply) => {
                (true, "has the same answer for it")
            }
            Some(reply) => return reply,
        };
        let why = if again {
            " (it asked this before: the answer it got does not fit the form)"
        } else {
            ""
        };
        let place = self.client.place();
        panic!(
            "{place}`{}` asked, and the script {lack}{why}: {question:?}",
            self.tool
        );
    }

    /// Sends a request; until its response has come, takes what concerns this call.
    pub(super) async fn exchange(&mut self, method: &str, params: Value) -> Result<Value, End> {
        let id = self.client.start(method, params).await;
        loop {
            let Some(message) = self.next().await else {
                // A task of the draft is cancelled by its request.
                if self.outcome.task.is_none() || self.client.kind() == ClientKind::Draft {
                    let cancelled = json!({ "requestId": id });
                    let method = "notifications/cancelled";
                    self.client.notify(method, cancelled).await;
                    return Err(End::Cancelled);
                }
                self.cancel_task().await;
                continue;
            };
            if is_response(&message) && message["id"] == id {
                return match message.get("error") {
                    Some(error) => Err(End::Error(ErrorReply::read(error))),
                    None => Ok(message["result"].clone()),
                };
            }
            self.take(message).await;
        }
    }

    /// The next message, or `None` once when it is time to cancel the call.
    async fn next(&mut self) -> Option<Value> {
        let Some(at) = self.cancel_at else {
            return Some(self.client.recv().await);
        };
        // Not `recv`: until then the server may be silent beyond the client's patience.
        let left = at.saturating_duration_since(Instant::now());
        let message = self.client.try_recv(left).await;
        if message.is_none() {
            self.cancel_at = None;
        }
        message
    }

    /// Waits between two polls, unless it is time to cancel the task.
    async fn pause(&mut self, pause: Duration) {
        let until = Instant::now() + pause;
        match self.cancel_at.filter(|at| *at <= until) {
            Some(at) => {
                sleep_until(at).await;
                self.cancel_at = None;
                self.cancel_task().await;
            }
            None => sleep_until(until).await,
        }
    }

    async fn cancel_task(&mut self) {
        let task = json!({ "taskId": self.outcome.task_id() });
        let id = self.client.start("tasks/cancel", task).await;
        self.cancels.push(id);
    }

    async fn take(&mut self, message: Value) {
        let params = &message["params"];
        match message["method"].as_str() {
            Some(_) if message.get("id").is_some() => self.answer_request(&message).await,
            Some("notifications/progress") if self.tokens.contains(&params["progressToken"]) => {
                self.outcome.progress.push(params.clone());
                self.cancel_if_reported();
            }
            None if self.cancels.contains(&message["id"]) => {}
            Some("notifications/message") => self.outcome.logs.push(params.clone()),
            Some("notifications/tasks/status") if self.is_ours(params) => self.saw(params),
            Some("notifications/tasks/created") => {
                self.outcome.task = params["_meta"].get(draft::RELATED).cloned();
            }
            _ => self.others.push(message),
        }
    }

    /// Notes a task as some message showed it.
    pub(super) fn saw(&mut self, task: &Value) {
        self.outcome.saw(task);
        self.cancel_if_reported();
    }

    fn cancel_if_reported(&mut self) {
        let reported = |text: &mut String| self.outcome.reported(text);
        if self.awaited.take_if(reported).is_some() {
            self.cancel_at = Some(Instant::now());
        }
    }

    fn is_ours(&self, task: &Value) -> bool {
        self.outcome
            .task_id()
            .is_some_and(|id| task["taskId"] == id)
    }

    async fn answer_request(&mut self, request: &Value) {
        if request["method"] == "ping" {
            return self.client.respond(&request["id"], json!({})).await;
        }
        let reply = self.ask(None, &request["method"], &request["params"]);
        if let Reply::Error(error) = &reply {
            let error = json!({ "code": error.code, "message": error.message });
            self.client
                .send(json!({ "jsonrpc": "2.0", "id": request["id"], "error": error }))
                .await;
        } else if let Some(mut result) = reply.result() {
            // 2025-11-25 tasks, "Associating Task-Related Messages", and the draft: the answer carries it too.
            for related in [RELATED, draft::RELATED] {
                if let Some(task) = request["params"]["_meta"].get(related)
                    && let Some(result) = result.as_object_mut()
                {
                    let meta = result.entry("_meta").or_insert_with(|| json!({}));
                    if let Some(meta) = meta.as_object_mut() {
                        meta.insert(related.to_owned(), task.clone());
                    }
                }
            }
            self.client.respond(&request["id"], result).await;
        }
    }

    /// Each time the call is sent it has its own progress token.
    fn set_meta(&mut self, params: &mut Map<String, Value>) {
        let mut meta = Map::new();
        let draft = params
            .get("_meta")
            .and_then(|meta| meta.get(draft::TASK).cloned());
        meta.extend(draft.map(|task| (draft::TASK.to_owned(), task)));
        if self.progress {
            let token = self.client.fresh_token();
            meta.insert("progressToken".to_owned(), token.clone());
            self.tokens.push(token);
        }
        if let Some(level) = self
            .client
            .setup
            .log_level
            .clone()
            .filter(|_| self.client.kind().is_modern())
        {
            meta.insert("io.modelcontextprotocol/logLevel".to_owned(), json!(level));
        }
        params.remove("_meta");
        if !meta.is_empty() {
            params.insert("_meta".to_owned(), Value::Object(meta));
        }
    }
}
