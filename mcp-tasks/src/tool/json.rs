//! Structured results: any serialisable value, with its schema.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::value::RawValue;

use super::output::{IntoContents, IntoOutput, Output, unwritable};
use super::schema;
use crate::model::content::Content;

/// A result as structured content, with `T`'s schema as the tool's output schema.
///
/// Clients that do not read structured content get its JSON as text, or the summary of
/// [`Json::text`]. A `T` whose schema is not a plain object (a number, a list, an enum) is wrapped
/// as `{"result": ..}`, because clients before 2026-07-28 take nothing but objects.
///
/// ```
/// # #[cfg(feature = "macros")] {
/// use mcp_tasks::prelude::*;
/// use schemars::JsonSchema;
/// use serde::Serialize;
///
/// #[derive(Serialize, JsonSchema)]
/// struct Usage {
///     used: u64,
///     free: u64,
/// }
///
/// /// How full the disk is.
/// #[mcp_tool(read_only)]
/// async fn disk_usage() -> Result<Json<Usage>, ToolError> {
///     Ok(Json(Usage { used: 3, free: 7 }).text("30 % in use"))
/// }
/// # assert!(Server::new("disks").tools(tools![disk_usage]).check().is_ok());
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Json<T> {
    value: T,
    text: Option<String>,
}

/// A structured result whose text is its JSON. (A function of the type's name, so that it reads as
/// a wrapper and still leaves room for a summary.)
#[allow(non_snake_case, reason = "it is the constructor")]
pub fn Json<T>(value: T) -> Json<T> {
    Json { value, text: None }
}

impl<T> Json<T> {
    /// Puts a summary in the place of the JSON text.
    pub fn text(mut self, summary: impl Into<String>) -> Self {
        self.text = Some(summary.into());
        self
    }

    /// The value.
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl<T> std::ops::Deref for Json<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: Serialize + JsonSchema + Send + 'static> Json<T> {
    fn output(self, more: Vec<Content>) -> Output {
        let json = serde_json::to_string(&self.value);
        output(json, wraps::<T>(), self.text, more)
    }
}

/// The same for every type.
fn output(
    json: Result<String, serde_json::Error>,
    wrap: bool,
    summary: Option<String>,
    more: Vec<Content>,
) -> Output {
    let json = json.map(|json| {
        if wrap {
            format!("{{\"result\":{json}}}")
        } else {
            json
        }
    });
    let structured = match json.and_then(RawValue::from_string) {
        Ok(structured) => structured,
        Err(error) => return Output(Err(unwritable(&error))),
    };
    let text = summary.unwrap_or_else(|| structured.get().to_owned());
    let mut blocks = vec![Content::text(text)];
    blocks.extend(more);
    Output::parts(&blocks, Some(structured))
}

impl<T: Serialize + JsonSchema + Send + 'static> IntoOutput for Json<T> {
    fn into_output(self) -> Output {
        self.output(Vec::new())
    }

    fn output_schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        let schema = schema::of::<T>(generator);
        Some(if wraps::<T>() {
            schema::wrapped(&schema)
        } else {
            schema
        })
    }
}

impl<T, C> IntoOutput for (Json<T>, C)
where
    T: Serialize + JsonSchema + Send + 'static,
    C: IntoContents,
{
    fn into_output(self) -> Output {
        self.0.output(self.1.into_contents())
    }

    fn output_schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        Json::<T>::output_schema(generator)
    }
}

/// Whether values of `T` have to be wrapped, by its schema. Known after the first look.
fn wraps<T: JsonSchema + 'static>() -> bool {
    is_wrapped(TypeId::of::<T>(), schema::of::<T>)
}

fn is_wrapped(id: TypeId, schema: fn(&mut SchemaGenerator) -> Schema) -> bool {
    static KNOWN: RwLock<Option<HashMap<TypeId, bool>>> = RwLock::new(None);
    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(wrapped) = known.as_ref().and_then(|known| known.get(&id)) {
        return *wrapped;
    }
    drop(known);
    let wrapped = !schema::is_plain_object(&schema(&mut schema::outputs()));
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    known.get_or_insert_default().insert(id, wrapped);
    wrapped
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::model::content::Image;

    #[derive(Serialize, JsonSchema)]
    struct Point {
        x: i32,
    }

    #[derive(Serialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Level {
        Low,
    }

    fn parts(value: impl IntoOutput) -> (Value, Value) {
        let output = value.into_output().0.unwrap();
        let read = |raw: &RawValue| serde_json::from_str(raw.get()).unwrap();
        (read(&output.content), read(&output.structured.unwrap()))
    }

    #[test]
    fn an_object_is_structured_and_mirrored_as_text() {
        let (content, structured) = parts(Json(Point { x: 1 }));
        assert_eq!(structured, json!({"x": 1}));
        assert_eq!(content, json!([{"type": "text", "text": "{\"x\":1}"}]));
    }

    #[test]
    fn a_summary_replaces_the_mirror() {
        let (content, structured) = parts(Json(Point { x: 1 }).text("one"));
        assert_eq!(structured, json!({"x": 1}));
        assert_eq!(content, json!([{"type": "text", "text": "one"}]));
    }

    #[test]
    fn anything_but_an_object_is_wrapped_by_its_type_not_by_its_value() {
        assert_eq!(parts(Json(5)).1, json!({"result": 5}));
        assert_eq!(
            parts(Json(vec![Point { x: 2 }])).1,
            json!({"result": [{"x": 2}]})
        );
        assert_eq!(parts(Json(None::<Point>)).1, json!({"result": null}));
        assert_eq!(
            parts(Json(Some(Point { x: 2 }))).1,
            json!({"result": {"x": 2}})
        );
        assert_eq!(parts(Json(json!({"a": 1}))).1, json!({"result": {"a": 1}}));
        assert_eq!(parts(Json(Level::Low)).1, json!({"result": "low"}));
        assert_eq!(parts(Json(())).1, json!({"result": null}));
    }

    #[test]
    fn blocks_follow_the_text() {
        let (content, structured) = parts((Json(1).text("one"), Image::new(*b"\0", "image/png")));
        assert_eq!(structured, json!({"result": 1}));
        assert_eq!(content[1]["type"], "image");
        let (content, _) = parts((Json(1), vec![Content::text("a"), Content::text("b")]));
        assert_eq!(content.as_array().unwrap().len(), 3);
    }

    #[test]
    fn a_value_that_is_no_json_is_an_error_not_a_panic() {
        #[derive(JsonSchema)]
        struct Broken;
        impl Serialize for Broken {
            fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
                Err(serde::ser::Error::custom("lost"))
            }
        }
        let error = Json(Broken).into_output().0.unwrap_err().to_string();
        assert_eq!(error, "the tool's result cannot be written as JSON: lost");
    }
}
