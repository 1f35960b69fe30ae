//! What came of a question.

/// What the user did with a question.
///
/// ```
/// use mcp_tasks::{Answer, AskError, Context};
///
/// async fn colour(ctx: &Context) -> Result<String, AskError> {
///     Ok(match ctx.choose("Which colour?", ["red", "blue"]).await? {
///         Answer::Accepted(colour) => colour,
///         Answer::Declined => "none".to_owned(),
///         Answer::Dismissed => "asked in vain".to_owned(),
///     })
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer<T> {
    /// Agreed, with this.
    Accepted(T),
    /// Said no.
    Declined,
    /// Closed it without a choice.
    Dismissed,
}

impl<T> Answer<T> {
    /// The accepted value, if there is one.
    pub fn accepted(self) -> Option<T> {
        match self {
            Self::Accepted(value) => Some(value),
            Self::Declined | Self::Dismissed => None,
        }
    }

    /// The same answer with `change` applied to an accepted value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Answer<U> {
        match self {
            Self::Accepted(value) => Answer::Accepted(change(value)),
            Self::Declined => Answer::Declined,
            Self::Dismissed => Answer::Dismissed,
        }
    }

    pub(crate) fn try_map<U, E>(
        self,
        change: impl FnOnce(T) -> Result<U, E>,
    ) -> Result<Answer<U>, E> {
        Ok(match self {
            Self::Accepted(value) => Answer::Accepted(change(value)?),
            Self::Declined => Answer::Declined,
            Self::Dismissed => Answer::Dismissed,
        })
    }
}
