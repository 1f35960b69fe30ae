//! The same tools on rmcp with its `TaskManager`, as its documentation recommends it: over `stdio` on a runtime of
//! several threads, or with the argument `tuned` over `stdio_pipes` on the one thread that suits a pipe best.

use std::error::Error;
use std::time::Duration;

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::tool::ToolCallContext;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams, ContentBlock,
    CreateTaskResult, ElicitRequest, ElicitRequestParams, ElicitationSchema, GetTaskParams,
    GetTaskResult, InputRequest, ListToolsResult, PaginatedRequestParams, ServerCapabilities,
    ServerConfig, UpdateTaskParams,
};
use rmcp::schemars::JsonSchema;
use rmcp::service::{RequestContext, RoleServer};
use rmcp::task_manager::{TaskContext, TaskExit, TaskFuture, TaskManager, TaskOptions};
use rmcp::transport::{stdio, stdio_pipes};
use rmcp::{ErrorData, ServerHandler, ServiceExt, tool, tool_router};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Longer than anything that is measured takes.
const HOUR_MS: u64 = 3_600_000;

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct Number {
    number: u64,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct Text {
    bytes: usize,
}

#[derive(Clone)]
struct Bench {
    router: ToolRouter<Self>,
    tasks: TaskManager,
}

#[tool_router]
impl Bench {
    #[tool(description = "Answers with its number, once others have had their turn")]
    async fn number(&self, Parameters(arguments): Parameters<Number>) -> CallToolResult {
        number(arguments).await
    }

    #[tool(description = "Waits for an answer")]
    async fn ask(&self) -> CallToolResult {
        CallToolResult::error(vec![ContentBlock::text("only as a task")])
    }

    #[tool(description = "Runs for an hour")]
    async fn run(&self) -> CallToolResult {
        run().await
    }

    #[tool(description = "Answers with so many bytes")]
    async fn text(&self, Parameters(arguments): Parameters<Text>) -> CallToolResult {
        answer("x".repeat(arguments.bytes))
    }
}

async fn number(Number { number }: Number) -> CallToolResult {
    tokio::task::yield_now().await;
    answer(format!("answer {number}"))
}

async fn run() -> CallToolResult {
    tokio::time::sleep(Duration::from_secs(3600)).await;
    answer("done")
}

async fn ask(task: TaskContext) -> Result<CallToolResult, TaskExit> {
    let form = ElicitationSchema::builder()
        .required_bool("confirm")
        .build();
    let question = InputRequest::Elicitation(ElicitRequest::new(
        ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: "Go on?".into(),
            requested_schema: form.expect("one property, which is there"),
        },
    ));
    let given = task.request_input("confirm", question).await?;
    let confirmed = given["action"] == "accept" && given["content"]["confirm"] == true;
    Ok(answer(confirmed.to_string()))
}

fn answer(text: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

/// What the task does that a call becomes.
fn work(
    call: &CallToolRequestParams,
) -> Result<impl FnOnce(TaskContext) -> TaskFuture + use<>, ErrorData> {
    let work: Box<dyn FnOnce(TaskContext) -> TaskFuture + Send> = match &*call.name {
        "number" => {
            let arguments = arguments(call)?;
            Box::new(|_| Box::pin(async { Ok(number(arguments).await) }))
        }
        "ask" => Box::new(|task| Box::pin(ask(task))),
        "run" => Box::new(|_| Box::pin(async { Ok(run().await) })),
        "text" => {
            let Text { bytes } = arguments(call)?;
            Box::new(move |_| Box::pin(async move { Ok(answer("x".repeat(bytes))) }))
        }
        name => {
            let text = format!("no tool is called {name}");
            return Err(ErrorData::invalid_params(text, None));
        }
    };
    Ok(work)
}

fn arguments<T: DeserializeOwned>(call: &CallToolRequestParams) -> Result<T, ErrorData> {
    let arguments = Value::Object(call.arguments.clone().unwrap_or_default());
    serde_json::from_value(arguments)
        .map_err(|error| ErrorData::invalid_params(error.to_string(), None))
}

impl ServerHandler for Bench {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_tasks();
        ServerConfig::new(capabilities.build())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.router.list_all()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let client = context.client_capabilities();
        if client.is_some_and(|client| client.supports_tasks()) {
            let options = TaskOptions::new().with_ttl_ms(HOUR_MS);
            let task = self.tasks.spawn(options, work(&request)?);
            return Ok(CallToolResponse::Task(CreateTaskResult::new(task)));
        }
        let call = ToolCallContext::new(self, request, context);
        self.router.call(call).await
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        self.tasks
            .get_task(&request.task_id)
            .map(GetTaskResult::new)
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.tasks
            .update_task(&request.task_id, request.input_responses)
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.tasks.cancel_task(&request.task_id)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let bench = Bench {
        router: Bench::tool_router(),
        tasks: TaskManager::new(),
    };
    if std::env::args().nth(1).as_deref() == Some("tuned") {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        runtime.enable_all().build()?.block_on(async {
            bench.serve(stdio_pipes()).await?.waiting().await?;
            Ok(())
        })
    } else {
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        runtime.enable_all().build()?.block_on(async {
            bench.serve(stdio()).await?.waiting().await?;
            Ok(())
        })
    }
}
