//! From a function to the function and a tool beside it.
//!
//! The expansion is data and one call for each parameter. Whatever loops, formats or boxes lives in the
//! runtime crate, compiled once. Each type of the signature is mentioned by paths spanned at that type,
//! so that rustc reports a missing trait there, and once: errors that are equal in all parts are shown
//! a single time. What the runtime crate has for expansions is `__mcp` there, which keeps them short.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Ident, Path};

use crate::args::Args;
use crate::errors::Errors;
use crate::item::{self, Item, ToolFn};
use crate::param::{Param, Source};
use crate::signature::Model;

/// Expands `#[mcp_tool(attr)] item`.
pub(crate) fn mcp_tool(attr: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let args = Args::parse(attr, &mut errors);
    let mut function = match Item::read(&item) {
        Item::Function(function) => function,
        Item::Unfinished(name) => {
            let tool = stub(&ToolFn::unfinished(&name), &args);
            return quote!(#errors #tool);
        }
        Item::Other(fault) => {
            errors.push(fault);
            let item = item::without_parameter_attributes(item);
            return quote!(#item #errors);
        }
    };
    let param_attrs = function.strip(&mut errors);
    let model = Model::read(&function, &param_attrs, &args, &mut errors);
    let namesake = function.namesake();
    if let Some(path) = &namesake {
        errors.at(
            path,
            format_args!(
                "here `{path}` is the tool itself; name the function `{path}_tool` and write `#[mcp_tool(name = \"{path}\")]`"
            ),
        );
    }
    // A tool is async because tools are, whether or not it awaits, and owns what it is called with. Its comment is
    // for the model, which needs no section on errors and panics. Clippy need not tell its author of these.
    let lint = if function.sig.asyncness.is_some() {
        quote!(clippy::unused_async)
    } else {
        quote!(clippy::needless_pass_by_value)
    };
    let lints = quote!(#[allow(clippy::missing_errors_doc, clippy::missing_panics_doc, #lint)]);
    if errors.is_empty() {
        let tool = tool(&function, &args, &model);
        return quote!(#lints #function #tool);
    }
    function.mend();
    // Inside an `impl`, and beside a module of its name, a struct would only add errors about itself.
    let is_in_the_way = function.sig.receiver().is_some() || namesake.is_some();
    let tool = (!is_in_the_way).then(|| stub(&function, &args));
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
            use #krate::__private as __mcp;
            #[automatically_derived]
            impl __mcp::Tool for #name {
                #items
            }
        };
    }
}

/// What stands in for a faulty tool, so that nothing which names it fails as well.
fn stub(function: &ToolFn, args: &Args) -> TokenStream {
    let items = quote! {
        const SPEC: &'static __mcp::ToolSpec = &__mcp::ToolSpec::new("", "", &[], "", 0);
        fn describe(_: &mut __mcp::Describe) {}
        fn start(
            _: &__mcp::Call<'_>,
        ) -> __mcp::Result<
            __mcp::BoxFuture<'static, __mcp::Output>,
            __mcp::Faults,
        > {
            ::core::unreachable!()
        }
    };
    implementation(function, &args.krate, &items)
}

fn tool(function: &ToolFn, args: &Args, model: &Model) -> TokenStream {
    let spec = spec(args, model);
    let hidden = Hidden::new();
    let d = &hidden.describe;
    let call = &hidden.call;
    let params = parameters(&model.params, &hidden);
    let describe = params.iter().map(|param| &param.describe);
    let output = &model.output;
    let describe_output =
        quote_spanned!(output.span()=> <#output as __mcp::Returned>::describe(#d););
    let start = start(function, args, model, &hidden, &params);
    let items = quote! {
        const SPEC: &'static __mcp::ToolSpec = &#spec;

        fn describe(#d: &mut __mcp::Describe) {
            #(#describe)*
            #describe_output
        }

        fn start(
            #call: &__mcp::Call<'_>,
        ) -> __mcp::Result<
            __mcp::BoxFuture<'static, __mcp::Output>,
            __mcp::Faults,
        > {
            #start
        }
    };
    implementation(function, &args.krate, &items)
}

fn spec(args: &Args, model: &Model) -> TokenStream {
    let Model {
        name,
        description,
        params,
        ..
    } = model;
    let spec = &args.spec;
    let params = params.iter().filter_map(|param| match &param.source {
        Source::Named(named) => {
            let (wire, spec) = (&named.wire, &named.spec);
            Some(quote!(__mcp::ParamSpec::new(#wire)#spec))
        }
        Source::Pattern | Source::Injected => None,
    });
    quote! {
        __mcp::ToolSpec::new(
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

fn parameters(params: &[Param], hidden: &Hidden) -> Vec<Parameter> {
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
                    || quote!(__mcp::None),
                    |default| quote!(__mcp::Some(#default)),
                );
                let argument = quote_spanned!(span=> <#ty as __mcp::Param<_>>);
                (
                    quote!(#argument::describe(#spec, #d);),
                    quote!(#argument::take(#spec, #call, &mut #faults, #default)),
                )
            }
            Source::Pattern => {
                let pattern = quote_spanned!(span=> <#ty as __mcp::Unnamed<_>>);
                (
                    quote!(#pattern::describe(#d);),
                    quote!(#pattern::take(#call, &mut #faults)),
                )
            }
            Source::Injected => {
                let injected = quote_spanned!(span=> <#ty as __mcp::Injected>);
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
    let locals: Vec<&Ident> = params.iter().map(|param| &param.local).collect();
    let takes = params.iter().map(|param| &param.take);
    let mutability = (!params.is_empty()).then(|| quote!(mut));
    let decode = (!params.is_empty()).then(|| {
        quote! {
            let (#(__mcp::Some(#locals),)*) = (#(#takes,)*) else {
                return __mcp::Err(#faults);
            };
        }
    });
    let output = &model.output;
    let convert = quote_spanned!(output.span()=> <#output as __mcp::Returned>::into_output);
    // Spanned at the name, where rustc then says that the future is not `Send`.
    let name = &function.sig.ident;
    let body = quote_spanned!(name.span()=> #name(#(#locals),*));
    let run = if args.blocking.is_some() {
        quote!(__mcp::run_blocking(#call, move || #body, #convert))
    } else {
        quote!(__mcp::run(#body, #convert))
    };
    quote! {
        let #mutability #faults = __mcp::Call::faults(#call, Self::SPEC);
        #decode
        __mcp::Faults::none(#faults)?;
        __mcp::Ok(#run)
    }
}

#[cfg(test)]
mod tests;
