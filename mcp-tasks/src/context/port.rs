//! How a context talks to whatever runs its call.

use std::any::Any;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::{Shared, Stop};
use crate::model::BoxFuture;
use crate::model::capability::Capability;
use crate::model::error::{AskError, BeginError};
use crate::model::input::{InputRequest, InputResponse};
use crate::model::level::LogLevel;
use crate::model::principal::Owner;
use crate::model::task::TaskId;

/// What a server needs for questions, which alone knows what that is.
pub(crate) type AskingNeeds = &'static (dyn Any + Send + Sync);

/// What a question came to.
pub(crate) type Answered = Result<Arc<InputResponse>, AskError>;

/// A question on its way: the key it got, and where its answer will arrive.
pub(crate) struct Asked {
    pub(crate) key: Arc<str>,
    pub(crate) answer: oneshot::Receiver<Answered>,
}

/// What runs a call, as its context sees it.
pub(crate) trait Port: Send + Sync + 'static {
    /// The tool's name, as clients call it.
    fn tool(&self) -> &str;
    /// Who calls.
    fn owner(&self) -> &Owner;
    /// Where questions wait for their answers.
    fn runtime(&self) -> &Handle;
    fn shared(&self) -> &Shared;
    /// The call's cancellation.
    fn stop(&self) -> &Stop;
    fn progress(&self, done: f64, total: Option<f64>, text: &str);
    fn status(&self, text: &str);
    fn log(&self, level: LogLevel, text: &str);
    fn supports(&self, capability: Capability) -> bool;
    fn task_id(&self) -> Option<TaskId>;
    /// Takes a question in; it leaves when the body next waits. `key` is made unique for the call.
    fn ask(
        &self,
        key: &str,
        request: Arc<InputRequest>,
        needs: AskingNeeds,
    ) -> Result<Asked, AskError>;
    /// Nobody waits for the answer any more.
    fn withdraw(&self, key: &str);
    /// What the URL elicitation `id` was for has happened.
    fn elicitation_complete(&self, id: &str);
    fn begin_task(&self) -> BoxFuture<'static, Result<(), BeginError>>;
}
