//! Questions to the user: forms, choices, pages.

use std::fmt;
use std::future::IntoFuture;
use std::sync::LazyLock;

use serde_json::{Map, Value};

use crate::model::BoxFuture;
use crate::model::answer::Answer;
use crate::model::error::AskError;
use crate::model::form::{Field, Form};
use crate::model::input::{Action, InputRequest, InputResponse};

use super::Context;
use super::ask::Question;
use super::form::ElicitForm;

impl Context {
    /// Asks the user for a yes. `true` only if they accepted and did not untick the box, which is ticked beforehand:
    /// a client that accepts without any content says yes.
    ///
    /// See [the guide](crate::guide::asking) for one in a tool.
    pub fn confirm(&self, message: impl Into<String>) -> Question<bool> {
        static FORM: LazyLock<Form> = LazyLock::new(|| {
            Form::new().field(Field::boolean("confirm").title("Confirm").default(true))
        });
        self.form_question("confirm", message.into(), FORM.clone(), |response| {
            let content = form_answer(response)?.accepted();
            Ok(content.is_some_and(|content| content.get("confirm") != Some(&Value::Bool(false))))
        })
    }

    /// Asks the user to fill in `T`.
    ///
    /// See [the guide](crate::guide::asking) for one in a tool.
    pub fn elicit<T: ElicitForm>(&self, message: impl Into<String>) -> Question<Answer<T>> {
        self.form_question("elicit", message.into(), T::form(), |response| {
            form_answer(response)?
                .try_map(|content| T::from_content(content).map_err(AskError::Invalid))
        })
    }

    /// Asks the user to choose one of `items`, known at run time.
    ///
    /// [`Answer`] shows what to do with each answer.
    pub fn choose<I>(&self, message: impl Into<String>, items: I) -> Question<Answer<String>>
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        let items: Vec<String> = items.into_iter().map(Into::into).collect();
        let form = Form::new().field(Field::choice("value", items));
        self.form_question("choose", message.into(), form, |response| {
            form_answer(response)?.try_map(|mut content| match content.remove("value") {
                Some(Value::String(choice)) => Ok(choice),
                _ => Err(AskError::Invalid("`value` is missing".into())),
            })
        })
    }

    /// Asks the user to fill in a form made at run time.
    ///
    /// See [the guide](crate::guide::asking) for one in a tool.
    pub fn elicit_form(
        &self,
        message: impl Into<String>,
        form: Form,
    ) -> Question<Answer<Map<String, Value>>> {
        self.form_question("elicit", message.into(), form, form_answer)
    }

    /// Sends the user to a page: for secrets, payments, sign-ins and whatever else must not pass through the
    /// client. `url` makes the page's address from an id that is new for every question; the page must
    /// check that whoever opens it is the user of this call.
    ///
    /// Accepting is consent to open the page, nothing more. Give [`until`](UrlQuestion::until) a future that
    /// resolves when the page has done its part.
    ///
    /// See [the guide](crate::guide::asking#pages-for-secrets-and-sign-ins) for one from end to end.
    pub fn elicit_url(
        &self,
        message: impl Into<String>,
        url: impl FnOnce(&str) -> String,
    ) -> UrlQuestion {
        let id = crate::model::id::random();
        let url = url(&id);
        let request = InputRequest::Url {
            message: message.into(),
            url,
            elicitation_id: id.clone(),
        };
        let consent = Question::new(self, "url", request, |response| match response {
            InputResponse::Elicit { action, .. } => Ok(answer_of(*action, ())),
            _ => Err(mismatch()),
        });
        UrlQuestion {
            consent,
            context: self.clone(),
            id,
        }
    }

    fn form_question<T: Send + 'static>(
        &self,
        key: &'static str,
        message: String,
        form: Form,
        read: fn(&InputResponse) -> Result<T, AskError>,
    ) -> Question<T> {
        Question::new(self, key, InputRequest::Form { message, form }, read)
    }
}

fn form_answer(response: &InputResponse) -> Result<Answer<Map<String, Value>>, AskError> {
    match response {
        InputResponse::Elicit { action, content } => Ok(answer_of(*action, content.clone())),
        _ => Err(mismatch()),
    }
}

fn answer_of<T>(action: Action, value: T) -> Answer<T> {
    match action {
        Action::Accept => Answer::Accepted(value),
        Action::Decline => Answer::Declined,
        Action::Cancel => Answer::Dismissed,
    }
}

pub(super) fn mismatch() -> AskError {
    AskError::Invalid("it answers another kind of question".into())
}

/// A page the user is asked to open.
///
/// [The guide](crate::guide::asking#pages-for-secrets-and-sign-ins) shows one from end to end.
#[must_use = "a question is asked when it is awaited"]
pub struct UrlQuestion {
    consent: Question<Answer<()>>,
    context: Context,
    id: String,
}

impl UrlQuestion {
    /// The id that the page's address was made from: what [`until`](Self::until) waits for can be looked up by it.
    ///
    /// ```
    /// # use mcp_tasks::{Answer, AskError, Context};
    /// # async fn paid(_order: String) -> u64 { 7 }
    /// async fn pay(ctx: &Context) -> Result<Answer<u64>, AskError> {
    ///     let page = ctx.elicit_url("Pay for the order", |id| format!("https://pay.example.com/{id}"));
    ///     let payment = paid(page.id().to_owned());
    ///     page.until(payment).await
    /// }
    /// ```
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Names the question on the wire.
    pub fn key(mut self, key: impl Into<std::borrow::Cow<'static, str>>) -> Self {
        self.consent = self.consent.key(key);
        self
    }

    /// How long to wait for the user's consent.
    pub fn timeout(mut self, timeout: std::time::Duration) -> Self {
        self.consent = self.consent.timeout(timeout);
        self
    }

    /// After consent, waits for `done`: what the page is for has happened. The client is told, where its
    /// revision has a way.
    pub async fn until<T>(self, done: impl Future<Output = T>) -> Result<Answer<T>, AskError> {
        let Self {
            consent,
            context,
            id,
        } = self;
        match consent.ask().await? {
            Answer::Accepted(()) => {
                let value = done.await;
                context.inner.port.elicitation_complete(&id);
                Ok(Answer::Accepted(value))
            }
            Answer::Declined => Ok(Answer::Declined),
            Answer::Dismissed => Ok(Answer::Dismissed),
        }
    }
}

impl IntoFuture for UrlQuestion {
    type Output = Result<Answer<()>, AskError>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        self.consent.into_future()
    }
}

impl fmt::Debug for UrlQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.consent.fmt(f)
    }
}
