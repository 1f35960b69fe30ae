//! What the macros' expansions name. Not part of the public API.

pub use crate::context::form::{
    Counted, ElicitForm, FormChoice, FormField, FormPass, Ranged, Shape, Textual, choice,
};
pub use crate::model::form::{Choice, Field, Format};
pub use crate::model::tool::TaskSupport;
pub use crate::tool::call::{Call, Faults};
pub use crate::tool::describe::Describe;
pub use crate::tool::extract::FromContext;
pub use crate::tool::output::{IntoOutput, Output};
pub use crate::tool::param::Param;
pub use crate::tool::run::{run, run_blocking};
pub use crate::tool::spec::{Number, ParamSpec, ToolSpec};
pub use crate::tool::{BoxFuture, Tool, ToolEntry, Tools};
pub use core::option::Option::{None, Some};
pub use core::result::Result::{self, Err, Ok};
pub use serde_json::Value;

use crate::tool::extract::Args;
use crate::tool::param::{ViaArgs, ViaContext};

// The traits below stand in expansions as paths at the user's own types. rustc reports equal errors
// once, so a type that is mentioned twice, to be described and to be used, fails once; a bound of a
// function would make two different errors. Their blanket impls are hidden from diagnostics, which
// keeps lists of unrelated types out of them.

/// A tool's result type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool's result",
    label = "not a tool result, or not with this value or error in it",
    note = "wrap serialisable data in `Json<T>`, or return text, `Content`, `CallToolResult` or a `Result` of these",
    note = "`Json<T>` needs `#[derive(serde::Serialize, schemars::JsonSchema)]` on `T` (`cargo add serde --features derive`, `cargo add schemars`), and has only content beside it in a tuple",
    note = "the error of a `Result` must be `Into<ToolError>`: a text, or a `std::error::Error` that is `Send` and `Sync`"
)]
pub trait Returned: Sized {
    /// Adds the schema of the result.
    fn describe(d: &mut Describe);

    /// The value as a result.
    fn into_output(self) -> Output;
}

#[diagnostic::do_not_recommend]
impl<T: IntoOutput> Returned for T {
    fn describe(d: &mut Describe) {
        d.output::<T>();
    }

    fn into_output(self) -> Output {
        IntoOutput::into_output(self)
    }
}

/// A parameter that is taken apart by a pattern: injected, or all arguments at once, but no single
/// argument, since that would have no name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be taken apart by a parameter's pattern",
    label = "an argument needs a plain name, an injected `State<T>` or `Extension<T>` a `T: Clone + Send + Sync`",
    note = "an argument's name is its JSON property: give it one, and take it apart in the function",
    note = "wrap a state that cannot be cloned in an `Arc`; for a type of your own, implement `FromContext`"
)]
pub trait Unnamed<Via>: Sized {
    /// Adds the parameter's schema or requirements.
    fn describe(d: &mut Describe);

    /// The parameter's value, or `None` after a fault was noted.
    fn take(call: &Call<'_>, faults: &mut Faults) -> Option<Self>;
}

static NAMELESS: ParamSpec = ParamSpec::new("");

#[diagnostic::do_not_recommend]
impl<T: FromContext> Unnamed<ViaContext> for T {
    fn describe(d: &mut Describe) {
        <T as Injected>::describe(d);
    }

    fn take(call: &Call<'_>, faults: &mut Faults) -> Option<Self> {
        <T as Injected>::take(call, faults)
    }
}

#[diagnostic::do_not_recommend]
impl<T> Unnamed<ViaArgs> for Args<T>
where
    Args<T>: Param<ViaArgs>,
{
    fn describe(d: &mut Describe) {
        <Self as Param<ViaArgs>>::describe(&NAMELESS, d);
    }

    fn take(call: &Call<'_>, faults: &mut Faults) -> Option<Self> {
        <Self as Param<ViaArgs>>::take(&NAMELESS, call, faults, None)
    }
}

/// A parameter marked `#[arg(inject)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be injected into a tool",
    label = "does not implement `FromContext`",
    note = "implement `FromContext` for `{Self}`, or `OptionalFromContext` for the `T` of an `Option<T>`; without `#[arg(inject)]` it is a JSON argument"
)]
pub trait Injected: Sized {
    /// Adds what the parameter needs from the server.
    fn describe(d: &mut Describe);

    /// The parameter's value, or `None` after its refusal was noted. The first refusal counts.
    fn take(call: &Call<'_>, faults: &mut Faults) -> Option<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: FromContext> Injected for T {
    fn describe(d: &mut Describe) {
        T::requires(&mut d.requirements);
    }

    fn take(call: &Call<'_>, faults: &mut Faults) -> Option<Self> {
        match T::from_context(call.context()) {
            Ok(value) => Some(value),
            Err(refusal) => {
                faults.refused.get_or_insert(refusal);
                None
            }
        }
    }
}

/// A type whose default may be written as a text.
#[diagnostic::on_unimplemented(
    message = "a text is no default for `{Self}`",
    label = "`{Self}` is not `From<&str>`",
    note = "write a value of that type: `default = 5`, `default = Mode::Fast`, `default = Some(\"a\".into())`"
)]
pub trait FromText: Sized {
    /// The value that `text` stands for.
    fn from_text(text: &'static str) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: From<&'static str>> FromText for T {
    fn from_text(text: &'static str) -> Self {
        Self::from(text)
    }
}

/// A tool in a `tools![]` list.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "not a tool",
    note = "put `#[mcp_tool]` on the function"
)]
pub trait Listed {
    /// The tool as the list holds it.
    const ENTRY: ToolEntry;
}

#[diagnostic::do_not_recommend]
impl<T: Tool> Listed for T {
    const ENTRY: ToolEntry = crate::server::entry::<T>();
}

/// Fails the build of a `tools![]` list in which the name of the tool at `index` stands before it.
/// Evaluated in a constant at the tool's path; `track_caller` puts the error there.
#[track_caller]
pub const fn unique(tools: &[ToolEntry], index: usize) {
    let name = tools[index].spec.name();
    let mut other = 0;
    while other < index {
        // A tool with other faults has no name; its own errors are enough.
        if !name.is_empty() && same(name.as_bytes(), tools[other].spec.name().as_bytes()) {
            let text = Text::new().and("two tools are named `").and(name);
            let text = text.and("`; give one of them `#[mcp_tool(name = \"..\")]`");
            panic!("{}", text.as_str());
        }
        other += 1;
    }
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// A message put together in a constant. A tool's name has at most 128 bytes, so 256 hold it.
struct Text {
    bytes: [u8; 256],
    len: usize,
}

impl Text {
    const fn new() -> Self {
        Self {
            bytes: [0; 256],
            len: 0,
        }
    }

    const fn and(mut self, part: &str) -> Self {
        let part = part.as_bytes();
        let mut i = 0;
        while i < part.len() {
            self.bytes[self.len] = part[i];
            self.len += 1;
            i += 1;
        }
        self
    }

    const fn as_str(&self) -> &str {
        match std::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "two tools have one name",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Describe, Text, Tool, ToolEntry, ToolSpec, unique};
    use crate::tool::{BoxFuture, Call, Faults, Output};

    struct Named<const DUPLICATE: bool>;

    impl<const DUPLICATE: bool> Tool for Named<DUPLICATE> {
        const SPEC: &'static ToolSpec =
            &ToolSpec::new(if DUPLICATE { "search" } else { "fetch" }, "", &[], "", 0);

        fn describe(_: &mut Describe) {}

        fn start(_: &Call<'_>) -> Result<BoxFuture<'static, Output>, Faults> {
            Err(Faults::default())
        }
    }

    const SEARCH: ToolEntry = ToolEntry::of::<Named<true>>();
    const FETCH: ToolEntry = ToolEntry::of::<Named<false>>();

    #[test]
    fn different_names_pass() {
        unique(&[SEARCH, FETCH], 1);
    }

    #[test]
    #[should_panic(
        expected = "two tools are named `search`; give one of them `#[mcp_tool(name = \"..\")]`"
    )]
    fn the_second_tool_of_a_name_fails() {
        unique(&[SEARCH, FETCH, SEARCH], 2);
    }

    #[test]
    fn the_longest_name_fits_the_message() {
        let name = "x".repeat(128);
        assert!(
            Text::new()
                .and("two tools are named `")
                .and(&name)
                .as_str()
                .ends_with(&name)
        );
    }
}
