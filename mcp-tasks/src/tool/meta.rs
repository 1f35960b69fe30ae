//! The `_meta` that came with a call.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::call::entries;
use super::error::ToolError;
use super::extract::FromContext;
use crate::context::Context;

/// The call's `_meta` object, as the client sent it.
///
/// ```
/// use mcp_tasks::{RequestMeta, ToolError};
///
/// async fn whose(meta: RequestMeta) -> Result<String, ToolError> {
///     let tenant: Option<String> = meta.get("example.com/tenant")?;
///     Ok(tenant.unwrap_or_else(|| "nobody's".to_owned()))
/// }
/// ```
#[derive(Clone, Debug, Default)]
pub struct RequestMeta(Option<Arc<RawValue>>);

impl RequestMeta {
    /// The entry of this name; `None` where there is none. An entry of another type is an error
    /// that names it.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, ToolError> {
        match self.entry(key) {
            None => Ok(None),
            Some(json) => serde_json::from_str(json)
                .map(Some)
                // The caller's to mend, and so to read, as a wrong argument is.
                .map_err(|error| ToolError::new(format!("`_meta` entry `{key}`: {error}"))),
        }
    }

    /// The whole object as JSON text, where the call has one.
    pub fn raw(&self) -> Option<&RawValue> {
        self.0.as_deref()
    }

    fn entry(&self, key: &str) -> Option<&str> {
        let all = entries(self.raw()?.get()).ok()?;
        all.0
            .into_iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value.get())
    }
}

impl From<Option<Arc<RawValue>>> for RequestMeta {
    fn from(raw: Option<Arc<RawValue>>) -> Self {
        Self(raw)
    }
}

impl FromContext for RequestMeta {
    fn from_context(context: &Context) -> Result<Self, ToolError> {
        Ok(context.meta())
    }
}

impl Context {
    /// The call's `_meta`. A tool that needs nothing else of its context takes a [`RequestMeta`].
    ///
    /// ```
    /// use mcp_tasks::{Context, ToolError};
    ///
    /// async fn whose(ctx: Context) -> Result<String, ToolError> {
    ///     let tenant: Option<String> = ctx.meta().get("example.com/tenant")?;
    ///     Ok(tenant.unwrap_or_else(|| "nobody's".to_owned()))
    /// }
    /// ```
    pub fn meta(&self) -> RequestMeta {
        RequestMeta(self.meta_raw().cloned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::tests::{Given, context};

    #[test]
    fn entries_are_read_by_name_and_type() {
        let raw = RawValue::from_string(r#"{"a/b": 1, "\u0063": "x"}"#.to_owned()).unwrap();
        let given = Given {
            meta: Some(raw),
            ..Given::default()
        };
        let meta = RequestMeta::from_context(&given.context()).unwrap();
        assert_eq!(meta.get::<u8>("a/b").unwrap(), Some(1));
        assert_eq!(meta.get::<String>("c").unwrap().as_deref(), Some("x"));
        assert_eq!(meta.get::<u8>("b").unwrap(), None);
        let error = meta.get::<u8>("c").unwrap_err().to_string();
        assert!(
            error.starts_with("`_meta` entry `c`: invalid type"),
            "{error}"
        );
    }

    #[test]
    fn a_call_without_meta_has_no_entries() {
        let meta = RequestMeta::from_context(&context()).unwrap();
        assert!(meta.raw().is_none());
        assert_eq!(meta.get::<u8>("a").unwrap(), None);
    }
}
