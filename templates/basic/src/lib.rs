//! {{description}}

use mcp_tasks::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where a version can be released to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema, ElicitForm)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    #[form(rename = "staging")]
    Staging,
    #[form(rename = "production")]
    Production,
}

/// A version that was released.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Release {
    pub service: String,
    pub version: String,
    pub stage: Stage,
}

/// Release a version of a service. The user is asked for the stage if it is not given.
#[mcp_tool(task, timeout = "10m")]
pub async fn release(
    /// Name of the service
    #[arg(min_len = 1)]
    service: String,
    /// Version to release, such as 1.4.0
    version: String,
    /// Where to
    stage: Option<Stage>,
    ctx: Context,
) -> Result<Json<Release>, ToolError> {
    let stage = match stage {
        Some(stage) => stage,
        None => {
            let question = format!("Release {service} {version} to which stage?");
            let Answer::Accepted(stage) = ctx.elicit::<Stage>(question).await? else {
                return Err(ToolError::new("no stage, nothing released"));
            };
            stage
        }
    };
    for step in 1..=3 {
        ctx.progress(step, 3, "rolling out");
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    Ok(Json(Release {
        service,
        version,
        stage,
    }))
}

/// The server with all its tools.
pub fn server() -> Server {
    Server::new("{{project-name}}").tools(tools![release])
}
