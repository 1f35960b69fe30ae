//! The server's questions: answered from the command line, put to the user, or declined, one after the other.
//!
//! `given` answers by `--answer`, `form` and `page` ask in the terminal, `menu` is what both are made of, `fields` tells
//! what a form has that is not asked.

mod fields;
mod form;
mod given;
mod menu;
mod page;

use std::collections::HashSet;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use dialoguer::Result as Asked;
use mcp_tasks::client::{Answer, Asker, FormQuestion, UrlQuestion};
use mcp_tasks::form::Form;
use serde_json::{Map, Value, json};
use tokio::sync::{Mutex as Turns, OwnedMutexGuard, oneshot};

use crate::arguments::{Given, group};
use crate::clean;
use crate::exit::Failure;
use crate::options::{QuestionOptions, Questions};
use crate::screen::Screen;

type Content = Map<String, Value>;

/// Who answers the server's questions, and how.
pub(crate) struct Asking {
    policy: Questions,
    /// The policy is an option of the command line, and not what is left where nobody is there.
    chosen: bool,
    given: Vec<(String, Given)>,
    /// The call's task is left running: its questions are for whoever comes back to it.
    leaves_task: bool,
    /// The names among `given` that a form had a field for.
    used: Mutex<HashSet<String>>,
    /// A form has come by now.
    reached: AtomicBool,
    /// Held by the question that has the terminal.
    turn: Arc<Turns<()>>,
    screen: Arc<Screen>,
}

impl Asking {
    pub(crate) fn new(
        options: &QuestionOptions,
        leaves_task: bool,
        screen: &Arc<Screen>,
    ) -> Result<Arc<Self>, Failure> {
        let terminal = io::stdin().is_terminal() && io::stderr().is_terminal();
        let policy = match options.questions {
            Some(Questions::Ask) if !terminal => {
                return Err(Failure::usage(
                    "--questions ask: standard input and standard error must be a terminal",
                ));
            }
            Some(policy) => policy,
            None if terminal => Questions::Ask,
            None => Questions::Decline,
        };
        let given =
            group(&options.answers).map_err(|why| Failure::usage(format!("--answer: {why}")))?;
        Ok(Arc::new(Self {
            policy,
            chosen: options.questions.is_some(),
            given,
            leaves_task,
            used: Mutex::default(),
            reached: AtomicBool::new(false),
            turn: Arc::default(),
            screen: Arc::clone(screen),
        }))
    }

    /// Answers a form.
    pub(crate) async fn form(self: Arc<Self>, question: FormQuestion) -> Answer<Content> {
        self.leave_to_others(&question.asker).await;
        self.reached.store(true, Ordering::Relaxed);
        let turn = Arc::clone(&self.turn).lock_owned().await;
        let event = json!({ "message": question.message, "form": fields::json(&question.form) });
        self.announce(&question.asker, &question.message, None, event);
        let unanswered = match (self.given(&question), self.policy) {
            (Some(Ok(content)), _) => {
                return self.conclude(Answer::Accepted(content), "by --answer");
            }
            (Some(Err(why)), _) => Some(format!("  not answered by --answer: {why}")),
            (None, Questions::Accept) => match question.form.check(Map::new()) {
                Ok(content) => return self.conclude(Answer::Accepted(content), "by its defaults"),
                Err(why) => Some(format!("  no default for everything: {why}")),
            },
            (None, _) => None,
        };
        if let Some(why) = &unanswered {
            self.screen.note(why);
        }
        if self.policy == Questions::Ask {
            let answer = self.show(turn, move || form::ask(&question.form)).await;
            return self.conclude(answer, "");
        }
        if unanswered.is_some() || !self.chosen {
            self.tell_fields(&question.form);
        }
        match (unanswered, self.policy) {
            (Some(_), _) => self.conclude(Answer::Declined, ""),
            (None, Questions::Dismiss) => self.conclude(Answer::Dismissed, self.why_not()),
            (None, _) => self.conclude(Answer::Declined, self.why_not()),
        }
    }

    /// Shows a page, or says no.
    pub(crate) async fn page(self: Arc<Self>, question: UrlQuestion) -> Answer<()> {
        self.leave_to_others(&question.asker).await;
        let turn = Arc::clone(&self.turn).lock_owned().await;
        let event = json!({ "message": question.message, "url": question.url });
        self.announce(
            &question.asker,
            &question.message,
            Some(&question.url),
            event,
        );
        let (answer, how) = match self.policy {
            Questions::Ask => (self.show(turn, move || page::ask(&question.url)).await, ""),
            Questions::Dismiss => (Answer::Dismissed, self.why_not()),
            Questions::Accept => (Answer::Declined, "a page is for a user to visit"),
            Questions::Decline => (Answer::Declined, self.why_not()),
        };
        self.conclude(answer.map(|()| Map::new()), how).map(drop)
    }

    /// Never ends for a question that is not to be answered here: the task may ask before it is left.
    async fn leave_to_others(&self, asker: &Asker) {
        if self.leaves_task && asker.task.is_some() {
            std::future::pending::<()>().await;
        }
    }

    /// Tells which names in `--answer` no form had a field for. One may come yet to a task that was left.
    pub(crate) fn tell_unused(&self) {
        let why = match (self.leaves_task, self.reached.load(Ordering::Relaxed)) {
            (true, _) => {
                "no question has come yet that had such a field; `mcp-tasks task wait` takes it too"
            }
            (false, true) => "no question had such a field",
            (false, false) => "no form came to fill in",
        };
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let names = self.given.iter().map(|(name, _)| name.as_str());
        for name in names.filter(|name| !used.contains(*name)) {
            self.screen.note(&format!("--answer {name}: {why}"));
        }
    }

    /// What `--answer` makes of the form; `None` if it names none of its fields.
    fn given(&self, question: &FormQuestion) -> Option<Result<Content, String>> {
        let content = given::content(&self.given, &question.form)?;
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.extend(content.keys().cloned());
        Some(question.form.check(content))
    }

    fn why_not(&self) -> &'static str {
        match (self.chosen, self.given.is_empty()) {
            (true, _) => "by --questions",
            (false, true) => "nobody is there to ask; see --answer and --questions",
            (false, false) => "nobody is there to ask, and --answer names no field of it",
        }
    }

    /// Tells who asks what. `event` is what programs are told beside that.
    fn announce(&self, asker: &Asker, message: &str, url: Option<&str>, mut event: Value) {
        for (key, value) in [
            ("event", "question".into()),
            ("server", json!(asker.server)),
            ("tool", json!(asker.tool)),
        ] {
            event[key] = value;
        }
        let tool = asker
            .tool
            .as_deref()
            .map_or(String::new(), |tool| format!(" ({tool})"));
        let who = clean::line(&format!("{}{tool} asks:", asker.server));
        let message = clean::hanging(message);
        let url = url.map_or(String::new(), |url| format!("\n  {}", clean::whole(url)));
        self.screen.tell(&event, &format!("{who} {message}{url}"));
    }

    /// Tells what could have been filled in; programs were told with the question.
    fn tell_fields(&self, form: &Form) {
        if !form.fields().is_empty() {
            self.screen.say(&fields::lines(form));
        }
    }

    /// Tells what came of it.
    fn conclude(&self, answer: Answer<Content>, how: &str) -> Answer<Content> {
        let (action, content) = match &answer {
            Answer::Accepted(content) => ("accepted", Some(content)),
            Answer::Declined => ("declined", None),
            Answer::Dismissed => ("dismissed", None),
        };
        let event = json!({ "event": "answer", "action": action, "content": content });
        let how = if how.is_empty() {
            String::new()
        } else {
            format!(" ({how})")
        };
        let fields = content
            .into_iter()
            .flatten()
            .map(|(name, value)| format!(" {name}={value}"));
        let fields: String = fields.collect();
        self.screen.tell(
            &event,
            &format!(
                "  {action}{how}{}{fields}",
                if fields.is_empty() { "" } else { ":" }
            ),
        );
        answer
    }

    /// Has a question answered in the terminal, by a thread that reads its keys. Where the server withdraws the
    /// question, the thread is left behind: it keeps the terminal until its question is answered, for nobody.
    async fn show<T: Send + 'static>(
        &self,
        turn: OwnedMutexGuard<()>,
        ask: impl FnOnce() -> Asked<Answer<T>> + Send + 'static,
    ) -> Answer<T> {
        let (reply, answered) = oneshot::channel();
        let screen = Arc::clone(&self.screen);
        std::thread::spawn(move || {
            let _turn = turn;
            let asked = {
                let _pause = screen.pause();
                ask()
            };
            match asked {
                Ok(answer) => {
                    if reply.send(answer).is_err() {
                        screen.note("  the server waits for this answer no longer");
                    }
                }
                // Ctrl-C, which whoever follows the call has noticed too.
                Err(dialoguer::Error::IO(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    screen.note(&format!("  the terminal fails: {error}"));
                    let _ = reply.send(Answer::Dismissed);
                }
            }
        });
        match answered.await {
            Ok(answer) => answer,
            // The call is being cancelled, and its question with it.
            Err(_) => std::future::pending().await,
        }
    }
}
