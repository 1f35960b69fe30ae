//! Values a tool is handed beside its arguments.

use std::any::{Any, TypeId, type_name};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::describe::Shaping;
use super::error::ToolError;
use crate::context::Context;
use crate::model::principal::Principal;

/// A value a tool can ask for in its signature, made from the call rather than from its arguments.
/// Runs before any line of the tool and before a task is made. [The guide](crate::guide::parameters) tells what else a tool
/// can take.
///
/// ```
/// use mcp_tasks::{Context, FromContext, Principal, ToolError};
///
/// struct Admin(Principal);
///
/// impl FromContext for Admin {
///     fn from_context(context: &Context) -> Result<Self, ToolError> {
///         let caller = Principal::from_context(context)?;
///         if caller.subject() == "root" { Ok(Self(caller)) } else { Err("for administrators only".into()) }
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be injected into a tool",
    label = "does not implement `FromContext`",
    note = "implement `FromContext` for `{Self}`, or drop `#[arg(inject)]` to take it as a JSON argument"
)]
pub trait FromContext: Sized + Send + 'static {
    /// The value for this call, or why the call is refused.
    fn from_context(context: &Context) -> Result<Self, ToolError>;

    /// What the server must hold for this to succeed; checked at start-up.
    fn requires(requirements: &mut Requirements) {
        let _ = requirements;
    }
}

/// An injected value that may not be there: `Option` of it can then be injected too.
///
/// [`Principal`] shows how it is taken.
#[diagnostic::on_unimplemented(
    message = "`Option<{Self}>` cannot be injected into a tool",
    label = "does not implement `OptionalFromContext`",
    note = "implement `OptionalFromContext` for `{Self}`, or take it without the `Option`"
)]
pub trait OptionalFromContext: Sized + Send + 'static {
    /// The value for this call, `None` where it has none, or why the call is refused.
    fn optional_from_context(context: &Context) -> Result<Option<Self>, ToolError>;
}

#[diagnostic::do_not_recommend]
impl<T: OptionalFromContext> FromContext for Option<T> {
    fn from_context(context: &Context) -> Result<Self, ToolError> {
        T::optional_from_context(context)
    }
}

/// What a tool's parameters need from the server, as [`FromContext::requires`] tells it.
///
/// [The guide](crate::guide::parameters#an-extractor-of-your-own) has an extractor that needs a state.
#[derive(Clone, Debug, Default)]
pub struct Requirements {
    /// `TypeId` and name of each `State<T>`.
    pub(crate) states: Vec<(TypeId, &'static str)>,
    /// Takes a `CancellationToken`, so it winds down by itself.
    pub(crate) cooperative: bool,
    /// Some schema is more than that of a plain value.
    pub(crate) shaping: Option<&'static Shaping>,
}

impl Requirements {
    /// The server must hold a state of type `T`, or it does not start.
    pub fn state<T: 'static>(&mut self) {
        let state = (TypeId::of::<T>(), type_name::<T>());
        if !self.states.contains(&state) {
            self.states.push(state);
        }
    }

    /// The tool watches for cancellation and winds down by itself within `cancel_grace`; it is not
    /// dropped at once.
    pub fn cooperative(&mut self) {
        self.cooperative = true;
    }
}

/// Shared state of the server, put there with [`Server::state`](crate::Server::state). Each call gets a clone, so
/// `T` is `Clone + Send + Sync`: wrap what is not, such as a `Mutex`, in an `Arc`.
///
/// ```
/// # #[cfg(feature = "macros")] {
/// use std::sync::{Arc, Mutex};
/// use mcp_tasks::prelude::*;
///
/// /// Counts its calls.
/// #[mcp_tool]
/// async fn count(State(calls): State<Arc<Mutex<u32>>>) -> u32 {
///     let mut calls = calls.lock().unwrap();
///     *calls += 1;
///     *calls
/// }
///
/// let server = Server::new("counter")
///     .state(Arc::new(Mutex::new(0_u32)))
///     .tools(tools![count]);
/// assert!(server.check().is_ok());
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct State<T>(pub T);

/// Over HTTP, a value from the extensions of the request that made the call, put there by a `tower` layer; kept for
/// the life of a task. A call over stdio has none, and a tool that cannot do without is refused.
///
/// ```
/// # #[cfg(all(feature = "macros", feature = "http"))] {
/// use mcp_tasks::prelude::*;
///
/// #[derive(Clone)]
/// struct Tenant(String);
///
/// /// Says for whom it works.
/// #[mcp_tool]
/// async fn tenant(#[arg(inject)] Extension(tenant): Extension<Tenant>) -> String {
///     tenant.0
/// }
/// # let _ = tools![tenant];
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Extension<T>(pub T);

/// The whole arguments object as one value; stands alone among arguments.
///
/// The schema is `T`'s own, and so are the rules for unknown and missing fields.
///
/// ```
/// # #[cfg(feature = "macros")] {
/// use mcp_tasks::prelude::*;
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// #[serde(deny_unknown_fields)]
/// struct Search {
///     /// What to look for
///     query: String,
///     #[serde(default)]
///     limit: u8,
/// }
///
/// /// Search the archive.
/// #[mcp_tool]
/// async fn search(Args(search): Args<Search>) -> String {
///     format!("{} hits for {}", search.limit, search.query)
/// }
/// # assert!(Server::new("archive").tools(tools![search]).check().is_ok());
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Args<T>(pub T);

fn cloned<T: Clone + 'static>(found: Option<&Arc<dyn Any + Send + Sync>>) -> Option<T> {
    found.and_then(|value| value.downcast_ref()).cloned()
}

fn required<T>(value: Option<T>, missing: impl FnOnce() -> String) -> Result<T, ToolError> {
    value.ok_or_else(|| missing().into())
}

impl<T: Clone + Send + Sync + 'static> FromContext for State<T> {
    fn from_context(context: &Context) -> Result<Self, ToolError> {
        required(
            cloned(context.state_any(TypeId::of::<T>())).map(Self),
            || format!("the server holds no state of type `{}`", type_name::<T>()),
        )
    }

    fn requires(requirements: &mut Requirements) {
        requirements.state::<T>();
    }
}

impl<T: Clone + Send + Sync + 'static> OptionalFromContext for State<T> {
    fn optional_from_context(context: &Context) -> Result<Option<Self>, ToolError> {
        Ok(cloned(context.state_any(TypeId::of::<T>())).map(Self))
    }
}

impl<T: Clone + Send + Sync + 'static> FromContext for Extension<T> {
    fn from_context(context: &Context) -> Result<Self, ToolError> {
        required(context.extension().map(Self), || {
            format!(
                "the request carries no extension of type `{}`",
                type_name::<T>()
            )
        })
    }
}

impl<T: Clone + Send + Sync + 'static> OptionalFromContext for Extension<T> {
    fn optional_from_context(context: &Context) -> Result<Option<Self>, ToolError> {
        Ok(context.extension().map(Self))
    }
}

impl FromContext for Principal {
    fn from_context(context: &Context) -> Result<Self, ToolError> {
        let caller = context.principal().cloned();
        caller.ok_or_else(|| ToolError::new("this tool needs an authenticated caller"))
    }
}

impl OptionalFromContext for Principal {
    fn optional_from_context(context: &Context) -> Result<Option<Self>, ToolError> {
        Ok(context.principal().cloned())
    }
}

impl FromContext for Context {
    fn from_context(context: &Context) -> Result<Self, ToolError> {
        Ok(context.clone())
    }
}

impl FromContext for CancellationToken {
    fn from_context(context: &Context) -> Result<Self, ToolError> {
        // A child, so that a tool which cancels its own token does not cancel the call.
        Ok(context.token().child_token())
    }

    fn requires(requirements: &mut Requirements) {
        requirements.cooperative();
    }
}

macro_rules! transparent {
    ($($wrapper:ident),*) => {$(
        impl<T> Deref for $wrapper<T> {
            type Target = T;
            fn deref(&self) -> &T {
                &self.0
            }
        }

        impl<T> DerefMut for $wrapper<T> {
            fn deref_mut(&mut self) -> &mut T {
                &mut self.0
            }
        }
    )*};
}

transparent!(State, Extension, Args);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::typemap::TypeMap;
    use crate::tool::tests::{Given, context};

    #[derive(Clone, Debug, PartialEq)]
    struct Db(u8);

    fn holding(value: Db) -> TypeMap {
        let mut map = TypeMap::default();
        map.insert(value);
        map
    }

    #[test]
    fn state_is_found_by_its_type_and_required_at_start_up() {
        let with = Given {
            states: holding(Db(7)),
            ..Given::default()
        }
        .context();
        assert_eq!(State::<Db>::from_context(&with).unwrap().0, Db(7));
        let refusal = State::<Db>::from_context(&context())
            .unwrap_err()
            .to_string();
        assert!(refusal.contains("::Db"), "{refusal}");
        assert!(
            Option::<State<Db>>::from_context(&context())
                .unwrap()
                .is_none()
        );

        let mut requirements = Requirements::default();
        State::<Db>::requires(&mut requirements);
        State::<Db>::requires(&mut requirements);
        Option::<State<u8>>::requires(&mut requirements);
        assert_eq!(
            requirements.states,
            [(TypeId::of::<Db>(), type_name::<Db>())]
        );
    }

    #[cfg(feature = "http")]
    #[test]
    fn an_extension_comes_from_the_request_not_from_the_state() {
        let with = Given {
            states: holding(Db(1)),
            ..Given::default()
        }
        .context();
        assert!(Extension::<Db>::from_context(&with).is_err());
        let with = Given {
            extensions: {
                let mut extensions = http::Extensions::new();
                extensions.insert(Db(2));
                crate::context::extensions::Extensions::of(extensions)
            },
            ..Given::default()
        }
        .context();
        assert_eq!(Extension::<Db>::from_context(&with).unwrap().0, Db(2));
        assert_eq!(
            Option::<Extension<Db>>::from_context(&with)
                .unwrap()
                .unwrap()
                .0,
            Db(2)
        );
    }

    #[test]
    fn a_principal_is_refused_where_nobody_is_authenticated() {
        assert!(Principal::from_context(&context()).is_err());
        assert_eq!(Option::<Principal>::from_context(&context()).unwrap(), None);
        let principal = Some(Principal::new("https://issuer", "ann"));
        let with = Given {
            principal,
            ..Given::default()
        }
        .context();
        assert_eq!(Principal::from_context(&with).unwrap().subject(), "ann");
    }

    #[test]
    fn a_token_follows_the_call_but_cannot_cancel_it() {
        let call = context();
        CancellationToken::from_context(&call).unwrap().cancel();
        assert!(!call.token().is_cancelled());
        let token = CancellationToken::from_context(&call).unwrap();
        call.token().cancel();
        assert!(token.is_cancelled());

        let mut requirements = Requirements::default();
        Context::requires(&mut requirements);
        assert!(!requirements.cooperative);
        CancellationToken::requires(&mut requirements);
        assert!(requirements.cooperative);
    }
}
