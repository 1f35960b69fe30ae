//! The outer end of a hand-made context: records what is reported, answers what is asked.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use serde_json::value::to_raw_value;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::context::Progress;
use super::script::{Question, Reply, Script};
use crate::context::port::{Answered, Asked, AskingNeeds, Port};
use crate::context::{Shared, Stop};
use crate::model::BoxFuture;
use crate::model::cancel::CancelReason;
use crate::model::capability::Capability;
use crate::model::error::{AskError, BeginError, RpcError};
use crate::model::input::InputRequest;
use crate::model::level::LogLevel;
use crate::model::principal::Owner;
use crate::model::task::TaskId;
use crate::wire::{Revision, input};

/// What is said through one hand-made context, and what it has of a server.
pub(super) struct Recorder {
    pub(super) recording: Arc<Recording>,
    pub(super) owner: Arc<Owner>,
    pub(super) runtime: Handle,
    pub(super) shared: Shared,
}

/// What was said in one call, and whether it was cancelled.
#[derive(Default)]
pub(super) struct Recording {
    stop: Stop,
    records: Mutex<Records>,
}

#[derive(Default)]
pub(super) struct Records {
    pub(super) progress: Vec<Progress>,
    pub(super) statuses: Vec<String>,
    pub(super) logs: Vec<(LogLevel, String)>,
    pub(super) questions: Vec<Question>,
    pub(super) script: Script,
    pub(super) lacking: Vec<Capability>,
    /// Whoever waits for an answer that never comes.
    open: Vec<oneshot::Sender<Answered>>,
}

impl Recording {
    /// Taken even after a panic: a question without a reply is one, and the test may look on.
    pub(super) fn records(&self) -> MutexGuard<'_, Records> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The call is cancelled, and whoever waits for an answer hears it.
    pub(super) fn cancel(&self, reason: CancelReason) {
        self.stop.fire(reason);
        for open in self.records().open.drain(..) {
            // Nobody may be waiting any more.
            let _ = open.send(Err(AskError::Cancelled));
        }
    }
}

impl Records {
    fn has(&self, capability: Capability) -> bool {
        !self.lacking.contains(&capability)
    }

    /// `confirm`, then `confirm-2`, as on the wire.
    fn key(&self, key: &str) -> String {
        let used = |key: &str| {
            self.questions
                .iter()
                .any(|asked| asked.key.as_deref() == Some(key))
        };
        let numbered = (2_u64..).map(|number| format!("{key}-{number}"));
        let mut keys = std::iter::once(key.to_owned()).chain(numbered);
        keys.find(|key| !used(key)).unwrap_or_default()
    }
}

impl Port for Recorder {
    fn tool(&self) -> &'static str {
        "test"
    }

    fn owner(&self) -> &Owner {
        &self.owner
    }

    fn runtime(&self) -> &Handle {
        &self.runtime
    }

    fn shared(&self) -> &Shared {
        &self.shared
    }

    fn stop(&self) -> &Stop {
        &self.recording.stop
    }

    fn progress(&self, done: f64, total: Option<f64>, text: &str) {
        let text = text.to_owned();
        self.recording
            .records()
            .progress
            .push(Progress { done, total, text });
    }

    fn status(&self, text: &str) {
        self.recording.records().statuses.push(text.to_owned());
    }

    fn log(&self, level: LogLevel, text: &str) {
        self.recording.records().logs.push((level, text.to_owned()));
    }

    fn supports(&self, capability: Capability) -> bool {
        self.recording.records().has(capability)
    }

    fn task_id(&self) -> Option<TaskId> {
        None
    }

    fn ask(
        &self,
        key: &str,
        request: Arc<InputRequest>,
        _: AskingNeeds,
    ) -> Result<Asked, AskError> {
        let mut records = self.recording.records();
        if self.stop().reason().is_some() {
            return Err(AskError::Cancelled);
        }
        let needed = request.requires();
        if !records.has(needed) {
            return Err(AskError::Unsupported(needed));
        }
        input::expressible(&request, Revision::V2026_07_28).map_err(AskError::Inexpressible)?;
        let key = records.key(key);
        let params = input::params(&request, Revision::V2026_07_28);
        let question = Question {
            key: Some(key.clone()),
            method: request.method().to_owned(),
            params: params.map_or(Value::Null, Value::Object),
        };
        let reply = records.script.reply(&question);
        let reply = reply.unwrap_or_else(|| panic!("the script has no answer to {question:?}"));
        if let Some(why) = question.lacks(&reply) {
            panic!("{why}: {question:?}");
        }
        records.questions.push(question);
        let (send, answer) = oneshot::channel();
        records.open.push(send);
        if reply == Reply::CancelCall {
            drop(records);
            self.recording.cancel(CancelReason::Requested);
        } else if let Some(answered) = answered(&request, &reply)
            && let Some(open) = records.open.pop()
        {
            // The receiver is here.
            let _ = open.send(answered);
        }
        Ok(Asked {
            key: key.into(),
            answer,
        })
    }

    fn withdraw(&self, _: &str) {}

    fn elicitation_complete(&self, _: &str) {}

    fn begin_task(&self) -> BoxFuture<'static, Result<(), BeginError>> {
        Box::pin(async { Ok(()) })
    }
}

/// What the tool gets for `reply`, `None` for none ever: as a server reads a client's response.
fn answered(request: &InputRequest, reply: &Reply) -> Option<Answered> {
    if let Reply::Error(error) = reply {
        return Some(Err(if error.code == RpcError::METHOD_NOT_FOUND {
            AskError::Unsupported(request.requires())
        } else {
            AskError::Invalid(format!("the client refused it: {}", error.message))
        }));
    }
    let raw = to_raw_value(&reply.result()?).expect("a value is JSON");
    Some(
        input::read(request, &raw)
            .map(Arc::new)
            .map_err(AskError::Invalid),
    )
}
