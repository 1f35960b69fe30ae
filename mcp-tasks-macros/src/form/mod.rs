//! `#[derive(ElicitForm)]`.
//!
//! `attr` reads the attributes, `fields` expands structs and `choices` unit enums.

mod attr;
mod choices;
mod fields;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Data, DeriveInput, Generics};

use self::attr::{Attrs, Place};
use crate::errors::Errors;
use crate::krate;

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
    let mut errors = Errors::default();
    let place = if matches!(input.data, Data::Enum(_)) {
        &ENUM
    } else {
        &STRUCT
    };
    let attrs = Attrs::read(&input.attrs, place, &mut errors);
    let private = private(&attrs, &mut errors);
    let target = Target {
        ident: &input.ident,
        private,
        generics: &input.generics,
    };
    let body = match &input.data {
        Data::Struct(data) => fields::expand(&target, &data.fields, &mut errors),
        Data::Enum(data) => choices::expand(&target, data, &attrs, &mut errors),
        Data::Union(data) => {
            errors.at(
                data.union_token,
                "a union cannot be a form: use a struct with named fields",
            );
            TokenStream::new()
        }
    };
    not_generic(&input.generics, &mut errors);
    if errors.is_empty() {
        return quote!(const _: () = { #body };);
    }
    // Impls without meaning, so that the uses of the type are not called errors too.
    let form = fields::implement(&target, &quote!(::core::option::Option::None));
    let stub = match &input.data {
        Data::Enum(_) if input.generics.params.is_empty() => choices::stub(&target, &form),
        _ => form,
    };
    quote!(#errors const _: () = { #stub };)
}

/// A lifetime is a fault by itself only where no field that borrows has been named as one.
fn not_generic(generics: &Generics, errors: &mut Errors) {
    if generics.params.is_empty() {
        return;
    }
    if generics.lifetimes().next().is_none() {
        errors.at(
            &generics.params,
            "a form has one list of fields, so its type cannot be generic",
        );
    } else if errors.is_empty() {
        errors.at(
            &generics.params,
            "an answer is owned, so a form cannot have lifetimes",
        );
    }
}

/// `::mcp_tasks::__private`, or the same module of the crate that `crate = ..` names.
fn private(attrs: &Attrs, errors: &mut Errors) -> TokenStream {
    let krate = attrs
        .option("crate")
        .and_then(|option| krate::read(option, errors));
    let krate = krate.unwrap_or_else(krate::default);
    quote!(#krate::__private)
}
