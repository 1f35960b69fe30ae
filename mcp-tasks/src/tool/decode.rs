//! Decodes one argument. Everything that does not depend on the parameter's type is here, once for
//! all tools.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::call::{Call, Faults, Found};
use super::missing::Wanted;
use super::scan::{path_at, unquoted, whole_floats_as_integers};
use super::spec::ParamSpec;
use super::words::{EXPECTED_VARIANT, in_words};

/// Where a value of some type is put: all that decoding needs to know of the type.
pub(super) trait Place {
    /// Puts there what `json` holds.
    fn read(&mut self, json: &str) -> Result<(), serde_json::Error>;
    /// Puts there what the type makes of a missing value.
    fn leave_out(&mut self) -> Result<(), Wanted>;
    /// Puts there the parameter's default, if it has one.
    fn fall_back(&mut self) -> bool;
}

/// Decodes the argument that `spec` names. `false` after a fault was noted.
pub(super) fn argument(
    spec: &'static ParamSpec,
    call: &Call<'_>,
    faults: &mut Faults,
    place: &mut dyn Place,
) -> bool {
    faults.known(spec.name);
    let outcome = match call.find(spec.name) {
        Found::Once(json) => given(spec, json, call, place),
        Found::Twice => Err((String::new(), "given more than once".to_owned())),
        Found::Nothing if place.fall_back() => Ok(()),
        Found::Nothing => place
            .leave_out()
            .map_err(|wanted| (String::new(), format!("missing, expected {wanted}"))),
    };
    if let Err((path, wrong)) = &outcome {
        faults.argument(&format!("{}{path}", spec.name), wrong);
    }
    outcome.is_ok()
}

/// Decodes the whole arguments object. `false` after a fault was noted.
pub(super) fn whole(call: &Call<'_>, faults: &mut Faults, place: &mut dyn Place) -> bool {
    faults.open();
    let error = match read(place, call.json(), false) {
        Ok(spelling) => {
            call.read_as(None, spelling);
            return true;
        }
        Err(error) => error,
    };
    let (path, wrong) = located(call.json(), &error);
    match path.strip_prefix('.').unwrap_or(&path) {
        "" => faults.argument("arguments", &wrong),
        path => faults.argument(path, &wrong),
    }
    false
}

/// Path below the argument, and what is wrong there.
pub(super) type Fault = (String, String);

fn given(
    spec: &'static ParamSpec,
    json: &str,
    call: &Call<'_>,
    place: &mut dyn Place,
) -> Result<(), Fault> {
    match read(place, json, true) {
        Ok(spelling) => {
            let checked = spec.check(&spelling);
            call.read_as(Some(spec.name), spelling);
            checked.map_err(|wrong| (String::new(), wrong))
        }
        // Models send null for what they leave out.
        Err(_) if json == "null" && place.fall_back() => Ok(()),
        Err(error) => {
            let (path, wrong) = located(json, &error);
            // The names are in the type, not in the error.
            if path.is_empty()
                && wrong == EXPECTED_VARIANT
                && let Err(wanted) = place.leave_out()
            {
                return Err((path, format!("expected {wanted}")));
            }
            Err((path, wrong))
        }
    }
}

/// Reads `json` as it is, or else in one of the spellings that models use for it; returns the
/// spelling that was read. The error is that of the first try.
fn read<'t>(
    place: &mut dyn Place,
    json: &'t str,
    in_string: bool,
) -> Result<Cow<'t, str>, serde_json::Error> {
    let first = match place.read(json) {
        Ok(()) => return Ok(Cow::Borrowed(json)),
        Err(error) => error,
    };
    let inner = if in_string {
        json_in_string(json)
    } else {
        None
    };
    let integers = whole_floats_as_integers(inner.as_deref().unwrap_or(json));
    for spelling in [inner, integers].into_iter().flatten() {
        if place.read(&spelling).is_ok() {
            return Ok(Cow::Owned(spelling));
        }
    }
    Err(first)
}

/// The object or array that a JSON string holds as text.
fn json_in_string(json: &str) -> Option<String> {
    if !json.starts_with('"') {
        return None;
    }
    let text = unquoted(json);
    let text = text.trim();
    let compound = text.starts_with(['{', '[']) && serde_json::from_str::<&RawValue>(text).is_ok();
    compound.then(|| text.to_owned())
}

/// Where in `json` an error arose, and its text without the position.
pub(super) fn located(json: &str, error: &serde_json::Error) -> Fault {
    let text = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    let Some(text) = text.strip_suffix(&position) else {
        return (String::new(), in_words(&text, ""));
    };
    if text == "recursion limit exceeded" {
        return (String::new(), "nested too deep".to_owned());
    }
    let line: usize = json
        .split_inclusive('\n')
        .take(error.line() - 1)
        .map(str::len)
        .sum();
    let path = path_at(json, line + error.column());
    let text = in_words(text, &path);
    (path, text)
}

#[cfg(test)]
mod tests;
