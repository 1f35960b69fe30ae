//! From a return value to a result.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::error::ToolError;
use crate::model::content::{Audio, Content, Embedded, Image, ResourceLink, Text};
use crate::model::result::{CallOutput, CallToolResult};

/// What a tool function returned, in one form: what [`IntoOutput::into_output`] makes of it.
///
/// [`IntoOutput`] shows how it is made, and [`Server::around`](crate::Server::around) how it is looked at.
#[derive(Debug)]
pub struct Output(pub(crate) Result<CallOutput, ToolError>);

/// A type a tool may return.
///
/// | returned | the model gets |
/// |---|---|
/// | `()` | nothing |
/// | strings, numbers, `bool` | the text |
/// | [`Content`], one of its kinds, or a `Vec<Content>` | the blocks |
/// | [`Json<T>`](struct@crate::Json) | structured content, and its JSON or a summary as text |
/// | `(Json<T>, Image)` and the like | the same, and then the blocks |
/// | [`CallToolResult`] | what it says |
/// | `Option<T>` | `T`, or nothing |
/// | `Result<T, E>` | `T`, or the error's text as a result that says `isError` |
///
/// [The guide](crate::guide::results) has examples.
///
/// ```
/// use mcp_tasks::{Content, IntoOutput, Output};
///
/// enum Verdict { Fine, Broken(Vec<String>) }
///
/// impl IntoOutput for Verdict {
///     fn into_output(self) -> Output {
///         match self {
///             Self::Fine => "fine".into_output(),
///             Self::Broken(faults) => Content::text(faults.join("\n")).into_output(),
///         }
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool's result",
    label = "not a tool result",
    note = "wrap serialisable data in `Json<T>`, or return text, `Content`, `CallToolResult` or a `Result` of these",
    note = "`Json<T>` needs `#[derive(serde::Serialize, schemars::JsonSchema)]` on `T`"
)]
pub trait IntoOutput: Send + 'static {
    /// The value as a result.
    fn into_output(self) -> Output;

    /// The schema of its structured content, where every result that is no error has some.
    fn output_schema(generator: &mut schemars::SchemaGenerator) -> Option<schemars::Schema>
    where
        Self: Sized,
    {
        let _ = generator;
        None
    }
}

impl Output {
    /// Whether the model is told that the call failed.
    pub fn is_error(&self) -> bool {
        self.0.as_ref().map_or(true, |output| output.is_error)
    }

    /// A result of these blocks alone.
    fn blocks(blocks: &[Content]) -> Self {
        Self::parts(blocks, None)
    }

    pub(super) fn parts(blocks: &[Content], structured: Option<Box<RawValue>>) -> Self {
        Self(
            to_raw_value(blocks)
                .map(|content| CallOutput {
                    content,
                    structured,
                    meta: None,
                    is_error: false,
                })
                .map_err(|error| unwritable(&error)),
        )
    }

    fn text(text: &str) -> Self {
        /// A text block, written without copying the text into one.
        #[derive(Serialize)]
        struct Block<'a> {
            r#type: &'static str,
            text: &'a str,
        }
        Self(
            to_raw_value(&[Block {
                r#type: "text",
                text,
            }])
            .map(|content| CallOutput {
                content,
                structured: None,
                meta: None,
                is_error: false,
            })
            .map_err(|error| unwritable(&error)),
        )
    }
}

/// The error of a value that cannot be written as JSON.
pub(super) fn unwritable(error: &serde_json::Error) -> ToolError {
    format!("the tool's result cannot be written as JSON: {error}").into()
}

impl IntoOutput for () {
    fn into_output(self) -> Output {
        Output::blocks(&[])
    }
}

macro_rules! as_text {
    ($($text:ty),*) => {$(
        impl IntoOutput for $text {
            fn into_output(self) -> Output {
                Output::text(&self)
            }
        }
    )*};
}

as_text!(
    String,
    &'static str,
    Cow<'static, str>,
    Box<str>,
    std::sync::Arc<str>
);

macro_rules! displayed {
    ($($value:ty),*) => {$(
        impl IntoOutput for $value {
            fn into_output(self) -> Output {
                Output::text(&self.to_string())
            }
        }
    )*};
}

displayed!(
    bool, char, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, f32, f64
);

/// One block or several.
///
/// It is what may stand behind a [`Json`](struct@crate::Json) in a pair; [the guide](crate::guide::results) has the list.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand beside a `Json<T>`",
    label = "not content",
    note = "give one kind of content, such as `Image`, or a `Vec<Content>`; a summary in words is `Json(..).text(..)`"
)]
pub trait IntoContents: Send + 'static {
    #[doc(hidden)]
    fn into_contents(self) -> Vec<Content>;
}

impl IntoContents for Vec<Content> {
    fn into_contents(self) -> Self {
        self
    }
}

impl IntoOutput for Vec<Content> {
    fn into_output(self) -> Output {
        Output::blocks(&self)
    }
}

macro_rules! block {
    ($($kind:ty),*) => {$(
        impl IntoContents for $kind {
            fn into_contents(self) -> Vec<Content> {
                vec![self.into()]
            }
        }

        impl IntoOutput for $kind {
            fn into_output(self) -> Output {
                Output::blocks(&[self.into()])
            }
        }
    )*};
}

block!(Content, Text, Image, Audio, ResourceLink, Embedded);

impl IntoOutput for CallToolResult {
    fn into_output(self) -> Output {
        Output(self.into_parts().map_err(|error| unwritable(&error)))
    }
}

/// `None` is a result without content. It announces no schema, since `None` has no structured
/// content; return `Json<Option<T>>` for a value that may be null.
impl<T: IntoOutput> IntoOutput for Option<T> {
    fn into_output(self) -> Output {
        self.map_or_else(|| ().into_output(), T::into_output)
    }
}

impl<T: IntoOutput, E: Into<ToolError> + Send + 'static> IntoOutput for Result<T, E> {
    fn into_output(self) -> Output {
        match self {
            Ok(value) => value.into_output(),
            Err(error) => Output(Err(error.into())),
        }
    }

    fn output_schema(generator: &mut schemars::SchemaGenerator) -> Option<schemars::Schema> {
        T::output_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(value: impl IntoOutput) -> String {
        let output = value.into_output().0.unwrap();
        assert!(output.structured.is_none() && output.meta.is_none() && !output.is_error);
        output.content.get().to_owned()
    }

    fn text(text: &str) -> String {
        serde_json::json!([{"type": "text", "text": text}]).to_string()
    }

    #[test]
    fn plain_values_are_text() {
        assert_eq!(content("a\"\n"), text("a\"\n"));
        assert_eq!(content(String::from("b")), text("b"));
        assert_eq!(content(Cow::Borrowed("c")), text("c"));
        assert_eq!(content(-3_i8), text("-3"));
        assert_eq!(
            content(u128::MAX),
            text("340282366920938463463374607431768211455")
        );
        assert_eq!(content(0.5_f32), text("0.5"));
        assert_eq!(content(f64::NAN), text("NaN"));
        assert_eq!(content(true), text("true"));
    }

    #[test]
    fn nothing_is_no_content() {
        assert_eq!(content(()), "[]");
        assert_eq!(content(None::<String>), "[]");
        assert_eq!(content(Some(1)), text("1"));
    }

    #[test]
    fn blocks_are_kept_in_order() {
        assert_eq!(content(Content::text("x")), text("x"));
        assert_eq!(
            content(vec![
                Content::text("x"),
                Image::new(*b"\0", "image/png").into()
            ]),
            r#"[{"type":"text","text":"x"},{"type":"image","data":"AA==","mimeType":"image/png"}]"#
        );
        assert_eq!(content(Vec::<Content>::new()), "[]");
    }

    #[test]
    fn an_error_of_any_kind_is_a_tool_error() {
        let output = Err::<(), _>("no").into_output();
        assert_eq!(output.0.unwrap_err().to_string(), "no");
        let output = Err::<String, _>(ToolError::from("no")).into_output();
        assert_eq!(output.0.unwrap_err().to_string(), "no");
        assert_eq!(content(Ok::<_, String>(1)), text("1"));
    }

    #[test]
    fn a_whole_result_goes_out_as_it_is() {
        let output = CallToolResult::new()
            .text("t")
            .meta("k", 1)
            .structured(&[1])
            .into_output()
            .0
            .unwrap();
        assert_eq!(output.content.get(), text("t"));
        assert_eq!(output.structured.unwrap().get(), "[1]");
        assert_eq!(output.meta.unwrap().get(), r#"{"k":1}"#);
    }
}
