//! From a function to the function and a tool beside it.
//!
//! The expansion is data and one call for each parameter. Whatever loops, formats or boxes lives in the
//! runtime crate, compiled once. Each type of the signature is mentioned by paths spanned at that type,
//! so that rustc reports a missing trait there, and once: errors that are equal in all parts are shown
//! a single time.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Ident, Path};

use crate::args::Args;
use crate::errors::Errors;
use crate::item::ToolFn;
use crate::param::{Param, Source};
use crate::signature::Model;

/// Expands `#[mcp_tool(attr)] item`.
pub(crate) fn mcp_tool(attr: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let args = Args::parse(attr, &mut errors);
    let mut function = match syn::parse2::<ToolFn>(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            errors.push(error);
            return quote!(#item #errors);
        }
    };
    let param_attrs = function.strip(&mut errors);
    let model = Model::read(&function, &param_attrs, &args, &mut errors);
    // A tool is async because tools are, whether or not it awaits, and owns what it is called with; clippy
    // need not tell its author.
    let lints = if function.sig.asyncness.is_some() {
        quote!(#[allow(clippy::unused_async)])
    } else {
        quote!(#[allow(clippy::needless_pass_by_value)])
    };
    if errors.is_empty() {
        let tool = tool(&function, &args, &model);
        return quote!(#lints #function #tool);
    }
    // Inside an `impl` a struct would only add errors about itself.
    let tool = function
        .sig
        .receiver()
        .is_none()
        .then(|| stub(&function, &args));
    quote!(#lints #function #errors #tool)
}

/// The hidden struct beside the function and its `impl Tool`, made of `items`.
fn implementation(function: &ToolFn, krate: &Path, items: &TokenStream) -> TokenStream {
    let cfgs: Vec<_> = function.cfgs().collect();
    let vis = &function.vis;
    // rustc says once that an unlisted function is never used. It would say the same of the struct, but
    // not where a macro has made the name; an `allow` would count as a use, of the function as well.
    let name = &function.sig.ident;
    let mut struct_name = name.clone();
    struct_name.set_span(name.span().resolved_at(Span::call_site()));
    quote! {
        #(#cfgs)*
        #[doc(hidden)]
        #[allow(missing_copy_implementations, missing_debug_implementations, non_camel_case_types, unreachable_pub)]
        #vis struct #struct_name {}

        #(#cfgs)*
        #[allow(deprecated, clippy::all, clippy::pedantic)]
        const _: () = {
            #[automatically_derived]
            impl #krate::__private::Tool for #name {
                #items
            }
        };
    }
}

/// What stands in for a faulty tool, so that nothing which names it fails as well.
fn stub(function: &ToolFn, args: &Args) -> TokenStream {
    let krate = &args.krate;
    let items = quote! {
        const SPEC: &'static #krate::__private::ToolSpec = &#krate::__private::ToolSpec::new("", "", &[], "", 0);
        fn describe(_: &mut #krate::__private::Describe) {}
        fn start(
            _: &#krate::__private::Call<'_>,
        ) -> ::core::result::Result<
            #krate::__private::BoxFuture<'static, #krate::__private::Output>,
            #krate::__private::Faults,
        > {
            ::core::unreachable!()
        }
    };
    implementation(function, krate, &items)
}

fn tool(function: &ToolFn, args: &Args, model: &Model) -> TokenStream {
    let krate = &args.krate;
    let spec = spec(args, model);
    let hidden = Hidden::new();
    let d = &hidden.describe;
    let call = &hidden.call;
    let params = parameters(&model.params, krate, &hidden);
    let describe = params.iter().map(|param| &param.describe);
    let output = &model.output;
    let describe_output =
        quote_spanned!(output.span()=> <#output as #krate::__private::Returned>::describe(#d););
    let start = start(function, args, model, &hidden, &params);
    let items = quote! {
        const SPEC: &'static #krate::__private::ToolSpec = &#spec;

        fn describe(#d: &mut #krate::__private::Describe) {
            #(#describe)*
            #describe_output
        }

        fn start(
            #call: &#krate::__private::Call<'_>,
        ) -> ::core::result::Result<
            #krate::__private::BoxFuture<'static, #krate::__private::Output>,
            #krate::__private::Faults,
        > {
            #start
        }
    };
    implementation(function, krate, &items)
}

fn spec(args: &Args, model: &Model) -> TokenStream {
    let Model {
        name,
        description,
        params,
        ..
    } = model;
    let Args { krate, spec, .. } = args;
    let params = params.iter().filter_map(|param| match &param.source {
        Source::Named(named) => {
            let (wire, spec) = (&named.wire, &named.spec);
            Some(quote!(#krate::__private::ParamSpec::new(#wire)#spec))
        }
        Source::Pattern | Source::Injected => None,
    });
    quote! {
        #krate::__private::ToolSpec::new(
            #name,
            #description,
            &[#(#params),*],
            ::core::file!(),
            ::core::line!(),
        )#spec
    }
}

/// Local names that no expression of the user can see or capture.
struct Hidden {
    describe: Ident,
    call: Ident,
    faults: Ident,
}

impl Hidden {
    fn new() -> Self {
        let name = |text| Ident::new(text, Span::mixed_site());
        Self {
            describe: name("d"),
            call: name("call"),
            faults: name("faults"),
        }
    }
}

/// How one parameter is described and taken.
struct Parameter {
    describe: TokenStream,
    take: TokenStream,
    /// The local that holds its value.
    local: Ident,
}

fn parameters(params: &[Param], krate: &Path, hidden: &Hidden) -> Vec<Parameter> {
    let Hidden {
        describe: d,
        call,
        faults,
    } = hidden;
    let mut index = 0_usize;
    let mut parameters = Vec::new();
    for (position, param) in params.iter().enumerate() {
        let ty = &param.ty;
        let span = ty.span();
        let (describe, take) = match &param.source {
            Source::Named(named) => {
                let at = proc_macro2::Literal::usize_unsuffixed(index);
                index += 1;
                let spec = quote!(&Self::SPEC.params()[#at]);
                let default = named.default.as_ref().map_or_else(
                    || quote!(::core::option::Option::None),
                    |default| quote!(::core::option::Option::Some(#default)),
                );
                let argument = quote_spanned!(span=> <#ty as #krate::__private::Param<_>>);
                (
                    quote!(#argument::describe(#spec, #d);),
                    quote!(#argument::take(#spec, #call, &mut #faults, #default)),
                )
            }
            Source::Pattern => {
                let pattern = quote_spanned!(span=> <#ty as #krate::__private::Unnamed<_>>);
                (
                    quote!(#pattern::describe(#d);),
                    quote!(#pattern::take(#call, &mut #faults)),
                )
            }
            Source::Injected => {
                let injected = quote_spanned!(span=> <#ty as #krate::__private::Injected>);
                (
                    quote!(#injected::describe(#d);),
                    quote!(#injected::take(#call, &mut #faults)),
                )
            }
        };
        let local = format_ident!("a{position}", span = Span::mixed_site());
        parameters.push(Parameter {
            describe,
            take,
            local,
        });
    }
    parameters
}

fn start(
    function: &ToolFn,
    args: &Args,
    model: &Model,
    hidden: &Hidden,
    params: &[Parameter],
) -> TokenStream {
    let Hidden { call, faults, .. } = hidden;
    let krate = &args.krate;
    let locals: Vec<&Ident> = params.iter().map(|param| &param.local).collect();
    let takes = params.iter().map(|param| &param.take);
    let mutability = (!params.is_empty()).then(|| quote!(mut));
    let decode = (!params.is_empty()).then(|| {
        quote! {
            let (#(::core::option::Option::Some(#locals),)*) = (#(#takes,)*) else {
                return ::core::result::Result::Err(#faults);
            };
        }
    });
    let output = &model.output;
    let convert =
        quote_spanned!(output.span()=> <#output as #krate::__private::Returned>::into_output);
    // Spanned at the name, where rustc then says that the future is not `Send`.
    let name = &function.sig.ident;
    let body = quote_spanned!(name.span()=> #name(#(#locals),*));
    let run = if args.blocking.is_some() {
        quote!(#krate::__private::run_blocking(#call, move || #body, #convert))
    } else {
        quote!(#krate::__private::run(#body, #convert))
    };
    quote! {
        let #mutability #faults = #krate::__private::Call::faults(#call, Self::SPEC);
        #decode
        #krate::__private::Faults::none(#faults)?;
        ::core::result::Result::Ok(#run)
    }
}

#[cfg(test)]
mod tests;
