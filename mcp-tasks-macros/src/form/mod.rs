//! `#[derive(ElicitForm)]`.
//!
//! `attr` reads the attributes, `fields` expands structs and `choices` unit enums; `shape` knows types by their
//! spelling, and `faults` collects what is wrong, so that everything is reported at once.

mod attr;
mod choices;
mod faults;
mod fields;
mod shape;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Data, DeriveInput, Expr, Generics};

use self::attr::{Attrs, Place};
use self::faults::Faults;

/// What may stand in `#[form(..)]` on the type itself.
const STRUCT: Place = Place {
    noun: "a struct",
    keys: &["crate"],
};
const ENUM: Place = Place {
    noun: "an enum",
    keys: &["title", "description", "crate"],
};

/// What the derive says of one type.
struct Target<'a> {
    ident: &'a Ident,
    /// The path of the hidden module that the expansion names.
    private: TokenStream,
    /// None, where nothing is wrong.
    generics: &'a Generics,
}

pub(crate) fn derive(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut faults = Faults::default();
    let place = if matches!(input.data, Data::Enum(_)) {
        &ENUM
    } else {
        &STRUCT
    };
    let attrs = Attrs::read(&input.attrs, place, &mut faults);
    let private = private(&attrs, &mut faults);
    let target = Target {
        ident: &input.ident,
        private,
        generics: &input.generics,
    };
    let body = match &input.data {
        Data::Struct(data) => fields::expand(&target, &data.fields, &mut faults),
        Data::Enum(data) => choices::expand(&target, data, &attrs, &mut faults),
        Data::Union(data) => {
            faults.at(
                data.union_token,
                "a union cannot be a form: use a struct with named fields",
            );
            TokenStream::new()
        }
    };
    not_generic(&input.generics, &mut faults);
    let Some(errors) = faults.into_errors() else {
        return quote!(const _: () = { #body };);
    };
    // Impls without meaning, so that the uses of the type are not called errors too.
    let form = fields::implement(&target, &quote!(::core::option::Option::None));
    let stub = match &input.data {
        Data::Enum(_) if input.generics.params.is_empty() => choices::stub(&target, &form),
        _ => form,
    };
    quote!(#errors const _: () = { #stub };)
}

/// A lifetime is a fault by itself only where no field that borrows has been named as one.
fn not_generic(generics: &Generics, faults: &mut Faults) {
    if generics.params.is_empty() {
        return;
    }
    if generics.lifetimes().next().is_none() {
        faults.at(
            &generics.params,
            "a form has one list of fields, so its type cannot be generic",
        );
    } else if faults.is_empty() {
        faults.at(
            &generics.params,
            "an answer is owned, so a form cannot have lifetimes",
        );
    }
}

/// `::mcp_tasks::__private`, or the same module of the crate that `crate = ..` names.
fn private(attrs: &Attrs, faults: &mut Faults) -> TokenStream {
    match attrs.value("crate") {
        None => quote!(::mcp_tasks::__private),
        Some(Expr::Path(path)) if absolute(&path.path) => quote!(#path::__private),
        Some(other) => {
            faults.at(other, "`crate` needs an absolute path, `::name` or `crate::name`: it must mean the same everywhere");
            quote!(::mcp_tasks::__private)
        }
    }
}

fn absolute(path: &syn::Path) -> bool {
    path.leading_colon.is_some()
        || path
            .segments
            .first()
            .is_some_and(|first| first.ident == "crate")
}
