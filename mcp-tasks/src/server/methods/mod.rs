//! Methods that the application answers, beside those of the server itself.

mod call;
mod result;
mod serve;

use std::sync::Arc;

use serde_json::{Map, Value};

pub use self::call::MethodCall;
pub use self::result::{InputRequired, MethodResult};
use super::modern::unknown_method;
use super::reply::Reply;
use crate::model::BoxFuture;
use crate::model::error::RpcError;
use crate::wire::envelope::Params;
use crate::wire::legacy::Hello;
use crate::wire::meta::ModernMeta;

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
    /// In the order in which they were given.
    handlers: Vec<(Arc<str>, Handler)>,
    twice: Vec<String>,
    /// How they are answered; a program whose server has none does not hold that.
    serving: Option<Serving>,
}

#[derive(Clone, Copy)]
struct Serving {
    modern: fn(Reply, &str, &Params<'_>, &ModernMeta),
    legacy: fn(Reply, &str, &Params<'_>, &Hello),
}

/// A request of 2026-07-28 that no method of the server's answers.
pub(super) fn modern(reply: Reply, method: &str, params: &Params<'_>, meta: &ModernMeta) {
    match reply.peer().core.methods.serving {
        Some(serving) => (serving.modern)(reply, method, params, meta),
        None => reply.error(&unknown_method(method)),
    }
}

/// The same within a legacy session.
pub(super) fn legacy(reply: Reply, method: &str, params: &Params<'_>, hello: &Hello) {
    match reply.peer().core.methods.serving {
        Some(serving) => (serving.legacy)(reply, method, params, hello),
        None => reply.error(&unknown_method(method)),
    }
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
        if self.find(&name).is_some() {
            self.twice.push(name);
        } else {
            self.handlers.push((name.into(), Arc::new(boxed)));
        }
        self.serving = Some(Serving {
            modern: serve::modern,
            legacy: serve::legacy,
        });
    }

    pub(super) fn check(&self, declared: &Map<String, Value>, faults: &mut Vec<String>) {
        for name in &self.twice {
            faults.push(format!("`on_method` is given `{name}` twice"));
        }
        for name in self.handlers.iter().map(|(name, _)| &**name) {
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

    fn find(&self, name: &str) -> Option<&(Arc<str>, Handler)> {
        self.handlers.iter().find(|(other, _)| **other == *name)
    }
}
