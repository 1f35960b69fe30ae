//! One tool for each thing that is tried, and the tasks that calls of some become.

use rmcp::handler::server::tool::InputResponses;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ElicitRequest,
    ElicitRequestParams, ElicitationSchema, InputRequest, InputRequests, InputRequiredResult,
    ProgressNotificationParam,
};
use rmcp::schemars::JsonSchema;
use rmcp::service::{RequestContext, RoleServer};
use rmcp::task_manager::{TaskContext, TaskExit, TaskFuture};
use rmcp::{ErrorData, tool, tool_router};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::Interop;
use crate::board::{Board, NoteOnDrop};

const WAITING: &str = "waiting for approval";

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct Greeting {
    name: String,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct Division {
    dividend: i64,
    divisor: i64,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct Target {
    target: String,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct Environment {
    env: String,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct File {
    file: String,
}

#[tool_router(router = tools, vis = "pub(crate)")]
impl Interop {
    #[tool(description = "Greets")]
    async fn greet(&self, Parameters(Greeting { name }): Parameters<Greeting>) -> CallToolResult {
        text(format!("Hello, {name}!"))
    }

    #[tool(description = "Divides one number by another")]
    async fn divide(&self, Parameters(numbers): Parameters<Division>) -> CallToolResult {
        match numbers.dividend.checked_div(numbers.divisor) {
            Some(quotient) => text(quotient.to_string()),
            None => error("division by zero"),
        }
    }

    #[tool(description = "Approves a build, started or yet to start")]
    async fn approve(&self, Parameters(Target { target }): Parameters<Target>) -> CallToolResult {
        self.board.note(format!("approved {target}")).notify_one();
        text("approved")
    }

    #[tool(description = "Answers once a build has ended, done or cancelled")]
    async fn ended(&self, Parameters(Target { target }): Parameters<Target>) -> CallToolResult {
        self.board.note(format!("ended {target}")).notified().await;
        text(format!("the build of {target} has ended"))
    }

    #[tool(description = "Builds a target, once it is approved")]
    async fn build_now(
        &self,
        Parameters(Target { target }): Parameters<Target>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let _end = NoteOnDrop(self.board.note(format!("ended {target}")));
        if let Some(token) = context.meta.get_progress_token() {
            let progress = ProgressNotificationParam::new(token, 1.0);
            let progress = progress.with_total(2.0).with_message(WAITING);
            let told = context.peer.notify_progress(progress).await;
            told.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        }
        tokio::select! {
            () = context.ct.cancelled() => Err(ErrorData::internal_error("cancelled", None)),
            built = built(&self.board, &target) => Ok(built),
        }
    }

    #[tool(description = "Deploys, after asking")]
    async fn deploy_now(
        &self,
        Parameters(Environment { env }): Parameters<Environment>,
        InputResponses(answers): InputResponses,
    ) -> CallToolResponse {
        match answers.as_ref().and_then(|answers| answers.get("confirm")) {
            Some(answer) => deployed(&env, answer).into(),
            None => {
                let question = ("confirm".to_owned(), question(&env));
                let questions = InputRequests::from_iter([question]);
                InputRequiredResult::from_input_requests(questions).into()
            }
        }
    }

    #[tool(
        description = "Builds a target, once it is approved; as a task where the client takes one"
    )]
    async fn build(
        &self,
        target: Parameters<Target>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        self.build_now(target, context).await
    }

    #[tool(description = "Deploys, after asking; as a task where the client takes one")]
    async fn deploy(
        &self,
        env: Parameters<Environment>,
        answers: InputResponses,
    ) -> CallToolResponse {
        self.deploy_now(env, answers).await
    }

    #[tool(description = "Imports a file, but finds none; as a task where the client takes one")]
    async fn import_file(&self, Parameters(File { file }): Parameters<File>) -> CallToolResult {
        imported(&file)
    }

    #[tool(description = "Migrates, but breaks the protocol; as a task where the client takes one")]
    async fn migrate(&self) -> Result<CallToolResult, ErrorData> {
        Err(migrated())
    }

    /// The task that a call becomes, if its tool is one for tasks.
    pub(crate) fn work(&self, call: &CallToolRequestParams) -> Result<Option<Work>, ErrorData> {
        let board = self.board.clone();
        Ok(Some(match &*call.name {
            "build" => {
                let Target { target } = arguments(call)?;
                Box::new(move |task| Box::pin(build(board, target, task)))
            }
            "deploy" => {
                let Environment { env } = arguments(call)?;
                Box::new(move |task| Box::pin(deploy(env, task)))
            }
            "import_file" => {
                let File { file } = arguments(call)?;
                Box::new(move |_| Box::pin(async move { Ok(imported(&file)) }))
            }
            "migrate" => Box::new(|_| Box::pin(async { Err(TaskExit::Error(migrated())) })),
            _ => return Ok(None),
        }))
    }
}

/// What a task does.
pub(crate) type Work = Box<dyn FnOnce(TaskContext) -> TaskFuture + Send>;

async fn build(
    board: Board,
    target: String,
    task: TaskContext,
) -> Result<CallToolResult, TaskExit> {
    let _end = NoteOnDrop(board.note(format!("ended {target}")));
    task.set_status_message(WAITING);
    tokio::select! {
        () = task.cancelled() => Err(TaskExit::Cancelled),
        built = built(&board, &target) => Ok(built),
    }
}

async fn deploy(env: String, task: TaskContext) -> Result<CallToolResult, TaskExit> {
    let answer = task.request_input("confirm", question(&env)).await?;
    Ok(deployed(&env, &answer))
}

async fn built(board: &Board, target: &str) -> CallToolResult {
    board.note(format!("approved {target}")).notified().await;
    text(format!("built {target}"))
}

fn question(env: &str) -> InputRequest {
    let form = ElicitationSchema::builder()
        .required_bool("confirm")
        .build();
    InputRequest::Elicitation(ElicitRequest::new(
        ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: format!("Deploy to {env}?"),
            requested_schema: form.expect("one property, which is there"),
        },
    ))
}

fn deployed(env: &str, answer: &Value) -> CallToolResult {
    if answer["action"] == "accept" && answer["content"]["confirm"] == true {
        text(format!("deployed to {env}"))
    } else {
        text(format!("not deployed to {env}"))
    }
}

fn imported(file: &str) -> CallToolResult {
    error(format!("no such file: {file}"))
}

fn migrated() -> ErrorData {
    ErrorData::internal_error("the migration broke off", None)
}

fn arguments<T: DeserializeOwned>(call: &CallToolRequestParams) -> Result<T, ErrorData> {
    let arguments = Value::Object(call.arguments.clone().unwrap_or_default());
    serde_json::from_value(arguments)
        .map_err(|error| ErrorData::invalid_params(error.to_string(), None))
}

fn text(text: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

fn error(text: impl Into<String>) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}
