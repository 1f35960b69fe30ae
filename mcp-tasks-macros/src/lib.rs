//! The macros of mcp-tasks; use them through that crate, which documents them.

mod args;
mod bounds;
mod errors;
mod expand;
mod form;
mod item;
mod json;
mod kind;
mod krate;
mod namesake;
mod options;
mod param;
mod signature;
mod tools;
mod types;

use proc_macro::TokenStream;

#[allow(
    missing_docs,
    reason = "rustdoc would add them to those of the re-export"
)]
#[proc_macro_attribute]
pub fn mcp_tool(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand::mcp_tool(attr.into(), item.into()).into()
}

#[allow(
    missing_docs,
    reason = "rustdoc would add them to those of the re-export"
)]
#[proc_macro]
pub fn tools(input: TokenStream) -> TokenStream {
    tools::tools(input.into()).into()
}

#[allow(
    missing_docs,
    reason = "rustdoc would add them to those of the re-export"
)]
#[proc_macro_derive(ElicitForm, attributes(form, arg))]
pub fn derive_elicit_form(input: TokenStream) -> TokenStream {
    form::derive(input.into()).into()
}
