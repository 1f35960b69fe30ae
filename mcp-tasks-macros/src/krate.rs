//! The runtime crate, as the user's crate knows it.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
use syn::{Expr, LitStr, Path, parse_quote};

use crate::errors::Errors;
use crate::options::Opt;

/// The path that `crate = ..` replaces.
pub(crate) fn default() -> Path {
    parse_quote!(::mcp_tasks)
}

/// The path after `crate =`, which must mean the same wherever the item stands.
pub(crate) fn read(option: &Opt, errors: &mut Errors) -> Option<Path> {
    match option.required(errors)? {
        Expr::Path(expr) if expr.qself.is_none() && is_absolute(&expr.path) => {
            Some(expr.path.clone())
        }
        value => {
            errors.at(value, "`crate` is the path of mcp-tasks, such as `crate = ::renamed` or `crate = crate::reexported`");
            None
        }
    }
}

/// Whether a path means the same in every module. `$crate` is how a `macro_rules!` names its own crate.
pub(crate) fn is_absolute(path: &Path) -> bool {
    path.leading_colon.is_some()
        || path
            .segments
            .first()
            .is_some_and(|first| first.ident == "crate" || first.ident == "$crate")
}

/// `text` as a default of whatever type is wanted. All of it stands at the text, where rustc then says that
/// the type is not made from one.
pub(crate) fn from_text(private: &impl ToTokens, text: &LitStr) -> TokenStream {
    let at = text.span();
    let private = private.to_token_stream().into_iter().map(|mut token| {
        token.set_span(token.span().located_at(at));
        token
    });
    let private: TokenStream = private.collect();
    quote_spanned!(at=> #private::FromText::from_text(#text))
}
