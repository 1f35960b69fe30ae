//! The parameters of every method, and what each must look like.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::envelope::{Members, ObjectOnly, RequestId, Text};
use super::write::shorten;
use crate::model::error::RpcError;
use crate::model::level::LogLevel;

/// Every parameter that any method has, as byte ranges; unknown ones are skipped, `null` counts as absent.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Params<'a> {
    /// `_meta`
    #[serde(borrow, rename = "_meta")]
    pub(crate) meta: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) name: Option<&'a RawValue>,
    #[cfg(feature = "http")]
    #[serde(borrow)]
    pub(crate) uri: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) task: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) task_id: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) cursor: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) level: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) request_id: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) input_responses: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) request_state: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) notifications: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) protocol_version: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) capabilities: Option<&'a RawValue>,
    /// The whole message, for methods whose parameters only an application knows.
    #[serde(skip)]
    pub(super) message: &'a str,
}

/// `inputResponses`: key and raw answer, in order.
pub(crate) type InputResponses<'a> = Vec<(Cow<'a, str>, &'a RawValue)>;

/// What a `subscriptions/listen` asks for, as far as this crate serves it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct ListenFilter {
    pub(crate) tools_list_changed: bool,
    /// `None` where the filter does not name `taskIds`.
    pub(crate) task_ids: Option<Vec<String>>,
}

impl<'a> Params<'a> {
    /// `name` as a string; -32602 if it is missing or of another type. The same for the others below.
    pub(crate) fn tool_name(&self) -> Result<Cow<'a, str>, RpcError> {
        required(self.name, "name").and_then(|raw| string(raw, "name"))
    }

    #[cfg(feature = "http")]
    pub(crate) fn uri(&self) -> Result<Cow<'a, str>, RpcError> {
        required(self.uri, "uri").and_then(|raw| string(raw, "uri"))
    }

    pub(crate) fn task_id(&self) -> Result<Cow<'a, str>, RpcError> {
        required(self.task_id, "taskId").and_then(|raw| string(raw, "taskId"))
    }

    /// All parameters as one object, read once more: the methods of this crate never need them so.
    pub(crate) fn whole(&self) -> Option<&'a RawValue> {
        #[derive(Deserialize)]
        struct Message<'a> {
            #[serde(borrow)]
            params: Option<&'a RawValue>,
        }
        let message: Message<'a> = serde_json::from_str(self.message).ok()?;
        message.params
    }

    /// `None` if absent; an empty string is a cursor.
    pub(crate) fn cursor(&self) -> Result<Option<Cow<'a, str>>, RpcError> {
        self.cursor.map(|raw| string(raw, "cursor")).transpose()
    }

    /// `arguments` if it is an object; `None` for absent or null; -32602 otherwise.
    pub(crate) fn arguments(&self) -> Result<Option<&'a RawValue>, RpcError> {
        match self.arguments {
            Some(raw) if !raw.get().starts_with('{') => Err(ill_typed("arguments", "an object")),
            arguments => Ok(arguments),
        }
    }

    /// `requestId` of `notifications/cancelled`, where it has one.
    pub(crate) fn cancelled_id(&self) -> Option<RequestId> {
        self.request_id.and_then(RequestId::read)
    }

    pub(crate) fn level(&self) -> Result<LogLevel, RpcError> {
        required(self.level, "level").and_then(|raw| level(raw, "level"))
    }

    /// `requestState` as a string.
    pub(crate) fn request_state(&self) -> Result<Option<Cow<'a, str>>, RpcError> {
        self.request_state
            .map(|raw| string(raw, "requestState"))
            .transpose()
    }

    /// `inputResponses` as key and raw answer; `None` for absent or null; -32602 if it is no object.
    pub(crate) fn input_responses(&self) -> Result<Option<InputResponses<'a>>, RpcError> {
        let Some(raw) = self.input_responses else {
            return Ok(None);
        };
        let members: Members<'_> = serde_json::from_str(raw.get())
            .map_err(|error| unreadable("inputResponses", &error))?;
        match members.repeated() {
            Some(key) => Err(ill_typed(
                "inputResponses",
                &format!(
                    "an object of unique keys, `{}` stands twice",
                    shorten(key, 200)
                ),
            )),
            None => Ok(Some(members.0)),
        }
    }

    /// 2025-11-25 `task`: `None` if absent, else the wished ttl in milliseconds if it has one. Negative,
    /// fractional, null or ill-typed is -32602; more than 64 bits is as long as can be.
    #[expect(
        clippy::option_option,
        reason = "a task without a wish is not the same as no task"
    )]
    pub(crate) fn task(&self) -> Result<Option<Option<u64>>, RpcError> {
        let Some(raw) = self.task else {
            return Ok(None);
        };
        let [wish] = members(raw, "task", ["ttl"])?;
        wish.map(ttl).transpose().map(Some)
    }

    /// 2026-07-28 `subscriptions/listen`: the filter.
    pub(crate) fn listen_filter(&self) -> Result<ListenFilter, RpcError> {
        object(
            required(self.notifications, "notifications")?,
            "notifications",
        )
    }
}

fn ttl(raw: &RawValue) -> Result<u64, RpcError> {
    let digits = raw.get();
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        Ok(digits.parse().unwrap_or(u64::MAX))
    } else {
        Err(ill_typed("task.ttl", "a whole number of milliseconds"))
    }
}

/// A parameter that a method cannot do without.
pub(super) fn required<'a>(
    raw: Option<&'a RawValue>,
    name: &str,
) -> Result<&'a RawValue, RpcError> {
    raw.ok_or_else(|| RpcError::invalid_params(format!("`{name}` is missing")))
}

pub(super) fn string<'a>(raw: &'a RawValue, name: &str) -> Result<Cow<'a, str>, RpcError> {
    match serde_json::from_str::<Text<'a>>(raw.get()) {
        Ok(Text(text)) => Ok(text),
        Err(_) => Err(ill_typed(name, "a string")),
    }
}

pub(super) fn level(raw: &RawValue, name: &str) -> Result<LogLevel, RpcError> {
    LogLevel::parse(&string(raw, name)?).ok_or_else(|| {
        ill_typed(
            name,
            "one of debug, info, notice, warning, error, critical, alert, emergency",
        )
    })
}

/// A `T` from an object.
pub(super) fn object<'a, T: Deserialize<'a>>(raw: &'a RawValue, name: &str) -> Result<T, RpcError> {
    match serde_json::from_str::<ObjectOnly<T>>(raw.get()) {
        Ok(ObjectOnly(value)) => Ok(value),
        Err(error) => Err(unreadable(name, &error)),
    }
}

/// The members of an object that are called so, `None` for those that are not there. A reader for all of them: one that is
/// derived for each set of fields is two KiB of program.
pub(super) fn members<'a, const N: usize>(
    raw: &'a RawValue,
    name: &str,
    keys: [&str; N],
) -> Result<[Option<&'a RawValue>; N], RpcError> {
    let mut found = [None; N];
    find_members(raw, name, &keys, &mut found)?;
    Ok(found)
}

fn find_members<'a>(
    raw: &'a RawValue,
    name: &str,
    keys: &[&str],
    found: &mut [Option<&'a RawValue>],
) -> Result<(), RpcError> {
    let members: Members<'a> =
        serde_json::from_str(raw.get()).map_err(|error| unreadable(name, &error))?;
    for (key, value) in members.0 {
        let Some(place) = keys.iter().position(|wanted| *wanted == key) else {
            continue;
        };
        if found[place].replace(value).is_some() {
            let text = format!("`{name}`: duplicate field `{key}`");
            return Err(RpcError::invalid_params(text));
        }
    }
    Ok(())
}

/// `null` counts as absent.
pub(super) fn given(raw: Option<&RawValue>) -> Option<&RawValue> {
    raw.filter(|raw| raw.get() != "null")
}

pub(super) fn ill_typed(name: &str, expected: &str) -> RpcError {
    RpcError::invalid_params(format!("`{name}` must be {expected}"))
}

/// The reader's own complaint, capped: it may quote what it could not read.
fn unreadable(name: &str, error: &serde_json::Error) -> RpcError {
    RpcError::invalid_params(format!("`{name}`: {}", shorten(&error.to_string(), 200)))
}

#[cfg(test)]
mod tests;
