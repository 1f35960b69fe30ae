//! A crate that makes everything hard for a macro: no prelude, every lint an error, the runtime under
//! another name, and the names of the standard library taken. That it compiles is the test.

#![no_implicit_prelude]
#![deny(
    missing_docs,
    missing_debug_implementations,
    missing_copy_implementations,
    unreachable_pub,
    unsafe_code,
    unused_qualifications,
    warnings,
    clippy::all,
    clippy::pedantic
)]
#![allow(dead_code, reason = "the names below exist to be in the way")]

mod in_the_way {
    //! What a careless expansion would pick up instead of the standard library.

    pub(crate) struct Result;
    pub(crate) struct Option;
    pub(crate) struct Some;
    pub(crate) struct Ok;
    pub(crate) struct Err;
    pub(crate) struct Box;
    pub(crate) struct Vec;
    pub(crate) struct String;
    pub(crate) struct Send;
    pub(crate) struct Sized;
    pub(crate) struct Call;
    pub(crate) struct Future;
    pub(crate) struct Tool;
    pub(crate) struct Param;
    pub(crate) struct Output;
    pub(crate) trait Default {}
    pub(crate) trait Into {}
    pub(crate) mod core {}
    pub(crate) mod std {}
    pub(crate) mod mcp_tasks {}
}

/// Tools among names that are taken.
pub mod tools {
    #[allow(unused_imports, reason = "they are in the way")]
    use super::in_the_way::*;

    /// Waits, then gives back what it got.
    #[::renamed::mcp_tool(
        crate = ::renamed,
        task(keep = "1h", after = "10ms"),
        timeout = WAIT,
        needs(elicitation),
        read_only
    )]
    pub async fn wait(
        /// Given back
        #[arg(default = "nothing", max_len = 10)]
        text: ::std::string::String,
        #[arg(default = 5, min = 1, max = 9.5)] number: u8,
        #[arg(default)] list: ::std::vec::Vec<::std::string::String>,
        ctx: ::renamed::Context,
        ::renamed::State(state): ::renamed::State<u32>,
        #[arg(inject)] token: ::renamed::State<u64>,
    ) -> ::std::result::Result<::std::string::String, ::renamed::ToolError> {
        ::std::future::ready((number, list, ctx, state, token.0)).await;
        ::std::result::Result::Ok(text)
    }

    const WAIT: ::std::time::Duration = ::std::time::Duration::from_secs(1);

    /// Works on a thread of its own, with parameters named like the expansion's own.
    #[::renamed::mcp_tool(crate = ::renamed, blocking)]
    #[must_use]
    pub fn work(d: u8, call: u8, faults: u8, a0: u8) -> ::std::string::String {
        ::std::string::ToString::to_string(&(d ^ call ^ faults ^ a0))
    }

    /// Owns its parameters, for there is nobody to borrow them from.
    #[::renamed::mcp_tool(crate = ::renamed, blocking)]
    #[must_use]
    pub fn measure(text: ::std::string::String) -> usize {
        text.len()
    }

    /// Called by the expansion although it is deprecated.
    #[::renamed::mcp_tool(crate = ::renamed)]
    #[deprecated = "only to see that the expansion is silent about it"]
    pub async fn old(r#type: ::std::string::String) {
        ::std::mem::drop(::std::future::ready(r#type).await);
    }

    /// Never there, and takes what does not exist.
    #[::renamed::mcp_tool(crate = ::renamed)]
    #[cfg(any())]
    pub async fn missing(value: Missing) -> Missing {
        value
    }

    macro_rules! tool {
        ($(#[$attribute:meta])* $name:ident: $ty:ty = $default:expr) => {
            $(#[$attribute])*
            #[::renamed::mcp_tool(crate = ::renamed, idempotent)]
            pub async fn $name(#[arg(default = $default)] value: $ty) -> $ty {
                value
            }
        };
    }

    tool!(
        /// Gives a number back.
        number: u32 = 7
    );
    tool!(
        /// Gives a text back, and is called like a type.
        text: ::std::string::String = "none"
    );

    /// What to ask.
    #[derive(Debug, Clone, ::renamed::ElicitForm)]
    #[form(crate = ::renamed)]
    pub struct Booking {
        /// On whose name.
        #[form(default = "nobody", max_len = 40)]
        pub name: ::std::string::String,
        /// How many.
        #[form(min = 1, max = 9)]
        pub seats: ::std::option::Option<u8>,
        /// What to eat.
        pub meals: ::std::vec::Vec<Meal>,
    }

    /// What there is to eat.
    #[derive(Debug, Clone, Copy, ::renamed::ElicitForm)]
    #[form(crate = ::renamed)]
    pub enum Meal {
        /// No meat.
        #[form(title = "Vegetarian")]
        Veg,
        /// No meat on Fridays.
        Fish,
    }

    /// Asks.
    ///
    /// # Errors
    /// If there is nobody to answer.
    #[::renamed::mcp_tool(crate = ::renamed)]
    pub async fn book(ctx: ::renamed::Context) -> ::std::result::Result<(), ::renamed::ToolError> {
        ctx.elicit::<Booking>("A table?").await?;
        ::std::result::Result::Ok(())
    }

    /// Takes nothing.
    #[::renamed::mcp_tool(crate = ::renamed, description = "Takes nothing, gives nothing.")]
    pub async fn nothing() {
        ::std::future::ready(()).await;
    }
}

/// All tools of this crate.
#[must_use]
pub fn all() -> ::renamed::Tools {
    ::renamed::tools![
        crate = ::renamed;
        tools::wait,
        tools::work,
        tools::measure,
        tools::old,
        #[cfg(any())]
        tools::missing,
        tools::number,
        tools::text,
        tools::book,
        tools::nothing,
    ]
}
