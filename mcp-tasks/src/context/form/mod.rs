//! Forms as Rust types: what `#[derive(ElicitForm)]` implements.
//!
//! `field` says which types a field can have, `choice` what a unit enum is, and `keys` which attribute fits which kind.

pub mod choice;
mod field;
mod keys;
#[cfg(all(test, feature = "macros"))]
mod tests;

use serde_json::{Map, Value};

pub use self::choice::FormChoice;
pub use self::field::FormField;
pub use self::keys::{Counted, Ranged, Textual};
use crate::model::form::{Field, Form};

/// A type that a client can ask its user for: a flat struct of strings, numbers, booleans, unit enums and lists
/// of unit enums, or a unit enum by itself. Derive it; it is not meant to be written by hand.
///
/// - `String` is a text field, integers and floats are numbers with the type's own bounds, `bool` is a check box.
///   A whole number beyond `i64` is refused, whatever the field's type.
/// - A unit enum that derives `ElicitForm` too is a choice, a `Vec` of it a list without duplicates.
/// - `Option` of these may be left out. A field with a `default` may be left out too, and then has that value.
/// - A struct without fields is a form to agree to or not.
/// - A unit enum asked for by itself is a form with one field, named `value`.
///
/// A doc comment is the description that the user reads. `#[form(..)]` says the rest: `title`, `description`,
/// `rename` and `default` on any field, `min` and `max` on numbers, `min_len`, `max_len` and `format` (`"email"`,
/// `"uri"`, `"date"`, `"date-time"`) on strings, `min_items` and `max_items` on lists; `title` and `rename` on a
/// variant; `title` and `description` on an enum. `default` alone takes the type's `Default`.
///
/// ```
/// # #[cfg(feature = "macros")] {
/// use mcp_tasks::ElicitForm;
///
/// #[derive(ElicitForm)]
/// struct Booking {
///     /// Where the tickets go
///     #[form(format = "email")]
///     email: String,
///     #[form(title = "Number of seats", min = 1, max = 12, default = 2)]
///     seats: u8,
///     meal: Option<Meal>,
/// }
///
/// #[derive(ElicitForm)]
/// enum Meal {
///     #[form(title = "Vegetarian")]
///     Veg,
///     Fish,
/// }
/// # }
/// ```
///
/// Nothing of serde is needed: the derive reads the answer itself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a form that a client can show",
    label = "not a flat struct or unit enum that derives `ElicitForm`",
    note = "a form is a flat struct of strings, numbers, booleans, unit enums, and lists of unit enums; \
            add `#[derive(ElicitForm)]` to such a struct, or to a unit enum to ask for one choice",
    note = "to ask for a single value, give it a struct with one field"
)]
pub trait ElicitForm: Sized + Send + 'static {
    /// Goes through the fields once, to describe or to read them.
    #[doc(hidden)]
    fn fields(pass: &mut FormPass) -> Option<Self>;

    /// The form to show.
    fn form() -> Form {
        let mut pass = FormPass {
            form: Form::new(),
            content: None,
            faults: Vec::new(),
        };
        // Describing yields fields and no value, unless there are no fields.
        let _ = Self::fields(&mut pass);
        pass.form
    }

    /// Reads an accepted answer; `Err` names each field that does not fit.
    fn from_content(content: Map<String, Value>) -> Result<Self, String> {
        let mut pass = FormPass {
            form: Form::new(),
            content: Some(content),
            faults: Vec::new(),
        };
        Self::fields(&mut pass).ok_or_else(|| pass.faults.join("; "))
    }
}

/// One walk over a form's fields: it describes them while there is no content, and reads them when there is.
/// One walk for both keeps the expansion small, and a type that cannot be a field one error.
#[doc(hidden)]
#[derive(Debug)]
pub struct FormPass {
    form: Form,
    content: Option<Map<String, Value>>,
    faults: Vec<String>,
}

impl FormPass {
    fn describe<T: FormField>(form: &mut Form, name: &str, default: Option<T>, shape: Shape<T>) {
        let mut field = T::fit(shape(T::blank(name)));
        if let Some(default) = default {
            field = default.into_default(field);
        }
        form.add(field.into_any());
    }

    fn read<T: FormField>(
        content: &mut Map<String, Value>,
        name: &str,
        default: Option<T>,
    ) -> Option<T> {
        let value = content.get_mut(name).map_or(Value::Null, Value::take);
        match default {
            Some(default) if value.is_null() => Some(default),
            _ => T::take(value),
        }
    }
}

/// The attributes of a field, as builder calls.
#[doc(hidden)]
pub type Shape<T> = fn(Field<<T as FormField>::Kind>) -> Field<<T as FormField>::Kind>;
