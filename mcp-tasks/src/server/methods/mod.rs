//! Methods that the application answers, beside those of the server itself.

mod call;
mod result;
mod serve;

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Map, Value};

pub use self::call::MethodCall;
pub use self::result::{InputRequired, MethodResult};
pub(super) use self::serve::{legacy, modern};
use crate::model::BoxFuture;
use crate::model::error::RpcError;

type Answering = BoxFuture<'static, Result<MethodResult, RpcError>>;
type Handler = Arc<dyn Fn(MethodCall) -> Answering + Send + Sync>;

/// The server's own, in any revision.
const OWN: [&str; 6] = [
    "initialize",
    "ping",
    "logging/setLevel",
    "server/discover",
    "subscriptions/listen",
    "",
];

/// Families of methods of the server's own.
const OWN_PREFIXES: [&str; 3] = ["tools/", "tasks/", "notifications/"];

/// Where a family of methods is declared ("Capability Negotiation" of every revision).
const FAMILIES: [(&str, &str); 3] = [
    ("prompts/", "prompts"),
    ("resources/", "resources"),
    ("completion/", "completions"),
];

/// Methods that the application answers.
#[derive(Clone, Default)]
pub(super) struct Methods {
    handlers: HashMap<Arc<str>, Handler>,
    twice: Vec<String>,
}

impl Methods {
    pub(super) fn add<H, F, R>(&mut self, name: String, handler: H)
    where
        H: Fn(MethodCall) -> F + Send + Sync + 'static,
        F: Future<Output = Result<R, RpcError>> + Send + 'static,
        R: Into<MethodResult>,
    {
        let handler = Arc::new(handler);
        let boxed = move |call| {
            let handler = Arc::clone(&handler);
            // The handler's own first lines run inside the future, where a panic is caught.
            Box::pin(async move { handler(call).await.map(Into::into) }) as Answering
        };
        if self
            .handlers
            .insert(name.as_str().into(), Arc::new(boxed))
            .is_some()
        {
            self.twice.push(name);
        }
    }

    pub(super) fn check(&self, declared: &Map<String, Value>, faults: &mut Vec<String>) {
        for name in &self.twice {
            faults.push(format!("`on_method` is given `{name}` twice"));
        }
        let mut names: Vec<&str> = self.handlers.keys().map(AsRef::as_ref).collect();
        names.sort_unstable();
        for name in names {
            if OWN.contains(&name) || OWN_PREFIXES.iter().any(|own| name.starts_with(own)) {
                faults.push(format!(
                    "`on_method` names `{name}`, which the server answers by itself"
                ));
            }
            let family = FAMILIES.iter().find(|(prefix, _)| name.starts_with(prefix));
            if let Some((_, capability)) = family
                && !declared.contains_key(*capability)
            {
                faults.push(format!(
                    "`{name}` is answered but not declared: add `.capability(\"{capability}\", json!({{}}))`"
                ));
            }
        }
    }

    fn find(&self, name: &str) -> Option<(&Arc<str>, &Handler)> {
        self.handlers.get_key_value(name)
    }
}
