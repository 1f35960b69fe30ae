//! A parameter is what its type's traits say: an argument, or injected.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::call::{Call, Faults, Found};
use super::decode::{self, Place};
use super::describe::{Describe, Source};
use super::extract::{Args, FromContext};
use super::missing::{Wanted, missing};
use super::schema;
use super::spec::ParamSpec;

/// A type that can stand in a tool's signature. `Via` is inferred: exactly one of the impls
/// applies.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool parameter",
    label = "neither a JSON argument nor an injected value",
    note = "for a JSON argument, put `#[derive(serde::Deserialize, schemars::JsonSchema)]` on the type, or on the `T` of an `Option<T>` or `Vec<T>` (`cargo add serde --features derive`, `cargo add schemars`)",
    note = "for an injected value, implement `FromContext`; `State<T>` and `Extension<T>` need `T: Clone + Send + Sync`: wrap another `T` in an `Arc`; a `Context` is always there and cheap to clone, so take it as it is"
)]
pub trait Param<Via>: Sized {
    /// Adds the parameter's schema or requirements.
    fn describe(spec: &'static ParamSpec, d: &mut Describe);

    /// The parameter's value, or `None` after a fault was noted. `default` stands in for a missing
    /// argument.
    fn take(
        spec: &'static ParamSpec,
        call: &Call<'_>,
        faults: &mut Faults,
        default: Option<fn() -> Self>,
    ) -> Option<Self>;
}

/// Marks the way through JSON.
#[derive(Debug)]
pub enum ViaArgument {}
/// Marks the way through the context.
#[derive(Debug)]
pub enum ViaContext {}
/// Marks [`Args`].
#[derive(Debug)]
pub enum ViaArgs {}

/// A parameter's value on its way in. The generic part of decoding: three calls for each type.
struct Slot<T> {
    value: Option<T>,
    default: Option<fn() -> T>,
}

impl<T: DeserializeOwned> Place for Slot<T> {
    fn read(&mut self, json: &str) -> Result<(), serde_json::Error> {
        serde_json::from_str(json).map(|value| self.value = Some(value))
    }

    fn leave_out(&mut self) -> Result<(), Wanted> {
        missing().map(|value| self.value = Some(value))
    }

    fn fall_back(&mut self) -> bool {
        self.value = self.default.map(|default| default());
        self.value.is_some()
    }
}

#[diagnostic::do_not_recommend]
impl<T> Param<ViaArgument> for T
where
    T: DeserializeOwned + JsonSchema + Send + 'static,
{
    fn describe(spec: &'static ParamSpec, d: &mut Describe) {
        let mut slot = Slot::<T> {
            value: None,
            default: None,
        };
        d.argument(spec, Source::of::<T>(), &mut slot);
    }

    fn take(
        spec: &'static ParamSpec,
        call: &Call<'_>,
        faults: &mut Faults,
        default: Option<fn() -> Self>,
    ) -> Option<Self> {
        let mut slot = Slot {
            value: None,
            default,
        };
        if decode::argument(spec, call, faults, &mut slot) {
            slot.value
        } else {
            None
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: FromContext> Param<ViaContext> for T {
    fn describe(spec: &'static ParamSpec, d: &mut Describe) {
        d.injected(spec, T::requires);
    }

    fn take(
        spec: &'static ParamSpec,
        call: &Call<'_>,
        faults: &mut Faults,
        _: Option<fn() -> Self>,
    ) -> Option<Self> {
        // A client that sends an argument of an injected parameter's name is told so, not ignored.
        if !matches!(call.find(spec.name), Found::Nothing) {
            faults.unknown(spec.name);
        }
        match T::from_context(call.context()) {
            Ok(value) => Some(value),
            Err(refusal) => {
                faults.refused.get_or_insert(refusal);
                None
            }
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T> Param<ViaArgs> for Args<T>
where
    T: DeserializeOwned + JsonSchema + Send + 'static,
{
    fn describe(spec: &'static ParamSpec, d: &mut Describe) {
        d.whole(spec, schema::of::<T>);
    }

    fn take(
        _: &'static ParamSpec,
        call: &Call<'_>,
        faults: &mut Faults,
        _: Option<fn() -> Self>,
    ) -> Option<Self> {
        let mut slot = Slot {
            value: None,
            default: None,
        };
        if decode::whole(call, faults, &mut slot) {
            slot.value.map(Args)
        } else {
            None
        }
    }
}
