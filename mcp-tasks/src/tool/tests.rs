//! What the tests of this folder share.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use serde_json::value::RawValue;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::Semaphore;

use super::error::ToolError;
use super::output::IntoOutput;
use super::param::Param;
use super::run::run;
use super::spec::ParamSpec;
use super::{BoxFuture, Call, Describe, Faults, Output, Tool, ToolEntry, ToolSpec};
use crate::context::extensions::Extensions;
use crate::context::port::{Asked, AskingNeeds};
use crate::context::typemap::TypeMap;
use crate::context::{Context, Inner, Port, Shared, Stop};
use crate::model::capability::Capability;
use crate::model::error::{AskError, BeginError};
use crate::model::input::InputRequest;
use crate::model::level::LogLevel;
use crate::model::principal::{Owner, Principal};
use crate::model::task::TaskId;

/// What a call carries beside its arguments.
#[derive(Default)]
pub(super) struct Given {
    pub(super) states: TypeMap,
    pub(super) extensions: Extensions,
    pub(super) principal: Option<Principal>,
    pub(super) meta: Option<Box<RawValue>>,
    pub(super) permits: Option<Arc<Semaphore>>,
    pub(super) stop: Arc<Stop>,
}

impl Given {
    pub(super) fn context(self) -> Context {
        static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
            Builder::new_multi_thread()
                .worker_threads(1)
                .build()
                .unwrap()
        });
        Context::new(Inner {
            call_id: crate::context::CallId::next(),
            meta: self.meta.map(Arc::from),
            extensions: self.extensions,
            port: Arc::new(Nowhere {
                owner: self.principal.map_or(Owner::Process, Owner::Principal),
                runtime: RUNTIME.handle().clone(),
                shared: Shared {
                    states: self.states,
                    blocking: self.permits.unwrap_or_else(|| Arc::new(Semaphore::new(1))),
                    max_wait: Duration::from_secs(1),
                },
                stop: self.stop,
            }),
        })
    }
}

/// A client that hears nothing and answers nothing.
struct Nowhere {
    owner: Owner,
    runtime: Handle,
    shared: Shared,
    stop: Arc<Stop>,
}

impl Port for Nowhere {
    fn tool(&self) -> &'static str {
        "probe"
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
        &self.stop
    }
    fn progress(&self, _: f64, _: Option<f64>, _: &str) {}
    fn status(&self, _: &str) {}
    fn log(&self, _: LogLevel, _: &str) {}
    fn supports(&self, _: Capability) -> bool {
        false
    }
    fn task_id(&self) -> Option<TaskId> {
        None
    }
    fn ask(&self, _: &str, request: Arc<InputRequest>, _: AskingNeeds) -> Result<Asked, AskError> {
        Err(AskError::Unsupported(request.requires()))
    }
    fn withdraw(&self, _: &str) {}
    fn elicitation_complete(&self, _: &str) {}
    fn begin_task(&self) -> BoxFuture<'static, Result<(), BeginError>> {
        Box::pin(async { Ok(()) })
    }
}

/// The context of a call that carries nothing.
pub(super) fn context() -> Context {
    Given::default().context()
}

/// The specs of a hand-made tool: `tool_spec!(a: u8, b.min_len(2): String)`.
macro_rules! tool_spec {
    ($($name:ident $(.$key:ident($($value:expr),*))* : $ty:ty),* $(,)?) => {{
        static PARAMS: &[ParamSpec] = &[$(ParamSpec::new(stringify!($name))$(.$key($($value),*))*),*];
        static SPEC: ToolSpec = ToolSpec::new("probe", "Probes.", PARAMS, "here.rs", 7);
        &SPEC
    }};
}

/// What `#[mcp_tool]` writes for a function with these parameters: `(spec, describe)`.
macro_rules! tool {
    ($($name:ident $(.$key:ident($($value:expr),*))* : $ty:ty),* $(,)?) => {{
        static PARAMS: &[ParamSpec] = &[$(ParamSpec::new(stringify!($name))$(.$key($($value),*))*),*];
        static SPEC: ToolSpec = ToolSpec::new("probe", "Probes.", PARAMS, "here.rs", 7);
        #[allow(unused_variables, unused_mut, reason = "a tool without parameters")]
        fn fill(d: &mut Describe) {
            let mut params = PARAMS.iter();
            $(<$ty as Param<_>>::describe(params.next().unwrap(), d);)*
        }
        (&SPEC, fill as fn(&mut Describe))
    }};
}

/// What a call with these arguments gives a function with these parameters: the values, or the
/// fault's text.
macro_rules! take {
    ($json:expr, $($name:ident $(.$key:ident($($value:expr),*))* : $ty:ty $(= $default:expr)?),* $(,)?) => {{
        let spec = $crate::tool::tests::tool_spec!($($name $(.$key($($value),*))* : $ty),*);
        $crate::tool::tests::with_call($json, |call| {
            let mut faults = call.faults(spec);
            let mut params = spec.params.iter();
            $(
                #[allow(unused_mut, unused_assignments, reason = "most have no default")]
                let $name = {
                    let mut default: Option<fn() -> $ty> = None;
                    $(default = Some(|| $default);)?
                    <$ty as Param<_>>::take(params.next().unwrap(), call, &mut faults, default)
                };
            )*
            match faults.none() {
                Ok(()) => Ok(($($name.unwrap()),*)),
                Err(faults) => Err(faults.text(spec.name)),
            }
        })
    }};
}

pub(super) use {take, tool, tool_spec};

/// Calls `body` with a call of these arguments, `None` for a call without any.
pub(super) fn with_call<'j, T>(
    json: impl Into<Option<&'j str>>,
    body: impl FnOnce(&super::Call<'_>) -> Result<T, String>,
) -> Result<T, String> {
    let raw = json
        .into()
        .map(|json| RawValue::from_string(json.to_owned()).unwrap());
    let context = context();
    match super::Call::new(&context, raw.as_deref()) {
        Ok(call) => body(&call),
        Err(faults) => Err(faults.text("probe")),
    }
}

/// What `#[mcp_tool]` writes for `async fn greet(name: String, ctx: Context) -> Result<String,
/// ToolError>`.
struct Greet;

impl Tool for Greet {
    const SPEC: &'static ToolSpec =
        &ToolSpec::new("greet", "Says hello.", Self::PARAMS, file!(), line!());

    fn describe(d: &mut Describe) {
        <String as Param<_>>::describe(&Self::PARAMS[0], d);
        <Context as Param<_>>::describe(&Self::PARAMS[1], d);
        d.output::<Result<String, ToolError>>();
    }

    fn start(call: &Call<'_>) -> Result<BoxFuture<'static, Output>, Faults> {
        let mut faults = call.faults(Self::SPEC);
        let name = <String as Param<_>>::take(&Self::PARAMS[0], call, &mut faults, None);
        let ctx = <Context as Param<_>>::take(&Self::PARAMS[1], call, &mut faults, None);
        faults.none()?;
        let (Some(name), Some(ctx)) = (name, ctx) else {
            unreachable!("no fault was noted")
        };
        Ok(run(greet(name, ctx), IntoOutput::into_output))
    }
}

impl Greet {
    const PARAMS: &'static [ParamSpec] = &[ParamSpec::new("name"), ParamSpec::new("ctx")];
}

async fn greet(name: String, ctx: Context) -> Result<String, ToolError> {
    tokio::task::yield_now().await;
    if ctx.principal().is_some() {
        Err("not you".into())
    } else {
        Ok(format!("hello {name}"))
    }
}

fn start_greet(json: &str) -> Result<BoxFuture<'static, Output>, Faults> {
    let raw = RawValue::from_string(json.to_owned()).unwrap();
    (ToolEntry::of::<Greet>().start)(&Call::new(&context(), Some(&raw)).unwrap())
}

#[tokio::test]
async fn a_tool_goes_from_json_arguments_to_json_content() {
    let body = start_greet(r#"{"name": "Ann"}"#)
        .map_err(|faults| faults.text("greet"))
        .unwrap();
    assert_eq!(
        body.await.0.unwrap().content.get(),
        r#"[{"type":"text","text":"hello Ann"}]"#
    );
}

#[test]
fn bad_arguments_start_no_body() {
    let faults = start_greet(r#"{"name": 5}"#).err().unwrap();
    assert_eq!(
        faults.text("greet"),
        "Invalid arguments for `greet`:\n- `name`: invalid type: integer `5`, expected a string"
    );
}
