//! Types that a tool's signature cannot have, found before rustc says it in stranger words.

use quote::ToTokens;
use syn::{
    FnArg, GenericArgument, Lifetime, LitStr, PathArguments, ReturnType, Signature, Type,
    TypeParamBound, TypePath,
};

use crate::errors::Errors;
use crate::kind::{self, Kind, plain};

pub(crate) fn check_param(ty: &Type, errors: &mut Errors) {
    let ty = plain(ty);
    match ty {
        Type::ImplTrait(_) => {
            errors.at(ty, "a tool's argument has one schema, so `impl Trait` cannot be one; name a concrete type");
        }
        Type::TraitObject(_) => {
            errors.at(ty, "a tool's argument has one schema, so `dyn Trait` cannot be one; name a concrete type");
        }
        _ => each(ty, &mut |part| match part {
            Type::Reference(reference) => {
                let owned = owned(&reference.elem);
                errors.at(
                    part,
                    format_args!("a tool owns its parameters, arguments or injected: {owned}"),
                );
                true
            }
            _ => unnameable(part, errors),
        }),
    }
}

/// Checks the type of an argument that a header repeats, as far as its spelling tells; the server checks its schema.
pub(crate) fn check_mirrored(ty: &Type, header: &LitStr, errors: &mut Errors) {
    let ty = kind::optional(ty).unwrap_or(ty);
    if matches!(Kind::of(ty), Kind::Float | Kind::List)
        || matches!(plain(ty), Type::Tuple(_) | Type::Array(_))
    {
        errors.at(
            header,
            "a header repeats a string, an integer or a boolean, and this argument is none; drop `header`",
        );
    }
}

/// Checks the result type. An elided lifetime that no parameter could give is rustc's to report.
pub(crate) fn check_return(sig: &Signature, errors: &mut Errors) {
    let ReturnType::Type(_, ty) = &sig.output else {
        return;
    };
    let elided =
        |lifetime: Option<&Lifetime>| lifetime.is_none_or(|lifetime| lifetime.ident == "_");
    let homeless = |lifetime: Option<&Lifetime>| elided(lifetime) && !lends(sig);
    if matches!(**ty, Type::Never(_)) {
        errors.at(ty, "a tool ends with a result; name its type");
        return;
    }
    each(ty, &mut |part| match part {
        Type::ImplTrait(_) => {
            errors.at(part, "a result's schema comes from its type, so `impl Trait` cannot be one; name a concrete type");
            true
        }
        Type::Reference(reference)
            if reference
                .lifetime
                .as_ref()
                .is_none_or(|it| it.ident != "static") =>
        {
            if homeless(reference.lifetime.as_ref()) {
                errors.left_to_rustc();
            } else {
                let owned = owned(&reference.elem);
                errors.at(
                    part,
                    format_args!(
                        "a tool's result outlives its arguments, so it cannot borrow: {owned}"
                    ),
                );
            }
            true
        }
        Type::Path(path) if lifetimes(path).any(|lifetime| homeless(Some(lifetime))) => {
            errors.left_to_rustc();
            true
        }
        _ => unnameable(part, errors),
    });
}

/// Whether a parameter has a lifetime that the result's elided one can mean.
fn lends(sig: &Signature) -> bool {
    let mut lends = sig.receiver().is_some();
    for input in &sig.inputs {
        if let FnArg::Typed(param) = input {
            each(&param.ty, &mut |part| {
                lends |= matches!(part, Type::Reference(_));
                lends |= matches!(part, Type::Path(path) if lifetimes(path).next().is_some());
                false
            });
        }
    }
    lends
}

/// The lifetimes that `path` names, without `'static`.
fn lifetimes(path: &TypePath) -> impl Iterator<Item = &Lifetime> {
    arguments(path).filter_map(|argument| match argument {
        GenericArgument::Lifetime(lifetime) if lifetime.ident != "static" => Some(lifetime),
        _ => None,
    })
}

/// What stands between the angle brackets of `path`.
fn arguments(path: &TypePath) -> impl Iterator<Item = &GenericArgument> {
    path.path
        .segments
        .iter()
        .flat_map(|segment| match &segment.arguments {
            PathArguments::AngleBracketed(arguments) => Some(&arguments.args).into_iter().flatten(),
            _ => None.into_iter().flatten(),
        })
}

/// What an `async fn` spelt out returns: `impl Future<..>`, or a future in a box.
pub(crate) fn future(output: &ReturnType) -> Option<&Type> {
    let ReturnType::Type(_, ty) = output else {
        return None;
    };
    is_future(ty).then_some(&**ty)
}

fn is_future(ty: &Type) -> bool {
    let future = |bound: &TypeParamBound| match bound {
        TypeParamBound::Trait(bound) => bound
            .path
            .segments
            .last()
            .is_some_and(|last| last.ident == "Future"),
        _ => false,
    };
    match plain(ty) {
        Type::ImplTrait(it) => it.bounds.iter().any(future),
        Type::TraitObject(it) => it.bounds.iter().any(future),
        ty @ Type::Path(path) => match kind::name(ty).as_deref() {
            Some("Pin" | "Box") => arguments(path).any(
                |argument| matches!(argument, GenericArgument::Type(inner) if is_future(inner)),
            ),
            Some("BoxFuture" | "LocalBoxFuture") => true,
            _ => false,
        },
        _ => false,
    }
}

/// Notes a part that only means something where the function stands; true if `part` is done with.
fn unnameable(part: &Type, errors: &mut Errors) -> bool {
    match part {
        Type::Infer(_) => errors.left_to_rustc(),
        Type::Path(path) if path.path.is_ident("Self") => {
            errors.at(
                part,
                "a tool is a free function, so there is no `Self`; name the type",
            );
        }
        Type::Path(path) => {
            for lifetime in lifetimes(path) {
                errors.at(
                    lifetime,
                    "a tool owns its arguments and its result, so nothing in its signature can borrow; use an owned type",
                );
            }
            return false;
        }
        _ => return false,
    }
    true
}

/// What to write instead of a reference to `elem`.
fn owned(elem: &Type) -> String {
    match elem {
        Type::Path(path) if path.path.is_ident("str") => "use `String`".to_owned(),
        Type::Slice(slice) => format!("use `Vec<{}>`", source(&slice.elem)),
        Type::Path(_) => format!("use `{}`", source(elem)),
        _ => "use an owned type".to_owned(),
    }
}

/// A type as a user would write it; token streams print with spaces everywhere.
fn source(ty: &Type) -> String {
    ty.to_token_stream()
        .to_string()
        .replace(' ', "")
        .replace(',', ", ")
}

/// Visits `ty` and the types it is made of, from outside in, until `visit` is done with a part.
fn each(ty: &Type, visit: &mut impl FnMut(&Type) -> bool) {
    if visit(ty) {
        return;
    }
    match ty {
        Type::Array(array) => each(&array.elem, visit),
        Type::Slice(slice) => each(&slice.elem, visit),
        Type::Group(group) => each(&group.elem, visit),
        Type::Paren(paren) => each(&paren.elem, visit),
        Type::Reference(reference) => each(&reference.elem, visit),
        Type::Tuple(tuple) => tuple.elems.iter().for_each(|elem| each(elem, visit)),
        Type::Path(path) => arguments(path).for_each(|argument| {
            if let GenericArgument::Type(ty) = argument {
                each(ty, visit);
            }
        }),
        _ => {}
    }
}
