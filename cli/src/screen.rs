//! Standard error: a bar in a terminal, lines or JSON elsewhere, and never anything in the middle of a question.

use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use mcp_tasks::client::{LogMessage, Progress, Status, Task};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep_until};

use crate::options::StatusStyle;
use crate::{clean, json};

/// Between two lines that tell of progress.
const LINES: Duration = Duration::from_secs(1);
/// Between two turns of the wheel in the bar.
const TICK: Duration = Duration::from_millis(100);
/// Steps of a full bar.
const STEPS: u64 = 10_000;

const WHEEL: &str = "{spinner} {wide_msg} {elapsed}";
const BAR: &str = "{spinner} [{bar:20}] {percent:>3}% {wide_msg} {elapsed}";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Bar,
    Lines,
    Json,
    Silent,
}

/// Where everything is told but results.
#[derive(Debug)]
pub(crate) struct Screen {
    style: Style,
    state: Mutex<State>,
    /// For what is told later.
    itself: Weak<Self>,
}

#[derive(Debug, Default)]
struct State {
    bar: Option<ProgressBar>,
    /// A question is in the terminal: lines wait, and the bar is gone.
    asking: bool,
    waiting: Vec<String>,
    text: String,
    /// What a bar would show, of one.
    done: Option<f64>,
    /// The status of the call's task, where it has one.
    status: Option<Status>,
    /// The message that was told last, and when.
    told: Option<(String, Instant)>,
    /// The latest message, where it came too soon after that and is yet to be told.
    untold: Option<String>,
}

impl Screen {
    pub(crate) fn new(style: StatusStyle) -> Arc<Self> {
        let style = match style {
            StatusStyle::Auto if io::stderr().is_terminal() && !is_dumb() => Style::Bar,
            StatusStyle::Auto | StatusStyle::Lines => Style::Lines,
            StatusStyle::Json => Style::Json,
            StatusStyle::None => Style::Silent,
        };
        Arc::new_cyclic(|itself| Self {
            style,
            state: Mutex::default(),
            itself: itself.clone(),
        })
    }

    /// Something happens from now on that may take a while.
    pub(crate) fn begin(&self, text: &str) {
        let mut state = self.lock();
        state.text = clean::status(text);
        state.done = None;
        if self.style == Style::Bar {
            state.draw();
        }
    }

    /// Nothing does any more.
    pub(crate) fn end(&self) {
        let mut state = self.lock();
        state.untold = None;
        if let Some(bar) = state.bar.take() {
            bar.finish_and_clear();
        }
    }

    /// A state of the call's task.
    pub(crate) fn status(&self, task: &Task) {
        if self.style == Style::Json {
            return self.tell(&json!({ "event": "status", "task": task.json() }), "");
        }
        let message = clean::status(task.message.as_deref().unwrap_or_default());
        self.state(Some(task.status), message);
    }

    /// Progress of the call.
    pub(crate) fn progress(&self, progress: &Progress) {
        let Progress {
            done,
            total,
            message,
            ..
        } = progress;
        if self.style == Style::Json {
            let event =
                json!({ "event": "progress", "done": done, "total": total, "message": message });
            return self.tell(&event, "");
        }
        let message = message.as_deref().unwrap_or_default();
        let far = match total.filter(|total| *total > 0.0) {
            Some(total) => format!("{:.0}%", (done / total).clamp(0.0, 1.0) * 100.0),
            None => done.to_string(),
        };
        self.state(None, clean::status(&format!("{message} ({far})")));
    }

    /// How the call stands: drawn, or told if that is news, once the last are a while ago.
    fn state(&self, status: Option<Status>, message: String) {
        let mut state = self.lock();
        let changed = status.is_some() && state.status != status;
        state.status = status.or(state.status);
        if self.style == Style::Bar {
            let (text, done) = far(&message);
            state.text = state.with_status(text);
            state.done = done.or(state.done.filter(|_| message.is_empty()));
            return state.draw();
        }
        match state.told.as_ref().map(|(told, at)| (told, *at + LINES)) {
            Some((told, _)) if !changed && *told == message => state.untold = None,
            Some((_, soon)) if !changed && Instant::now() < soon => {
                if state.untold.replace(message).is_none() {
                    tokio::spawn(Self::tell_later(Weak::clone(&self.itself), soon));
                }
            }
            _ => self.tell_state(&mut state, message),
        }
    }

    /// Tells what is the latest by then: a message that nothing follows would be lost otherwise.
    async fn tell_later(screen: Weak<Self>, when: Instant) {
        sleep_until(when).await;
        if let Some(screen) = screen.upgrade() {
            let mut state = screen.lock();
            if let Some(message) = state.untold.take() {
                screen.tell_state(&mut state, message);
            }
        }
    }

    fn tell_state(&self, state: &mut State, message: String) {
        let text = state.with_status(&message);
        state.told = Some((message, Instant::now()));
        state.untold = None;
        self.print(state, &text);
    }

    /// A log message of the server's.
    pub(crate) fn log(&self, message: &LogMessage) {
        let LogMessage {
            level,
            logger,
            data,
            ..
        } = message;
        let event = json!({ "event": "log", "level": level, "logger": logger, "data": data });
        let from = logger
            .as_ref()
            .map_or(String::new(), |logger| format!(" {logger}"));
        let text = data
            .as_str()
            .map_or_else(|| data.to_string(), str::to_owned);
        let text = format!("log {level}{from}: {text}");
        self.tell(&event, &clean::hanging(&text));
    }

    /// A line that the server wrote to its standard error.
    pub(crate) fn server_line(&self, line: &str) {
        self.tell(
            &json!({ "event": "stderr", "text": line }),
            &format!("server| {line}"),
        );
    }

    /// A remark of this program's.
    pub(crate) fn note(&self, text: &str) {
        self.tell(&json!({ "event": "note", "text": text }), text);
    }

    /// A remark for people, who see less than programs do.
    pub(crate) fn say(&self, text: &str) {
        if self.style != Style::Json {
            self.tell(&Value::Null, text);
        }
    }

    /// An event in JSON or in words, as the style wants it. Control characters are dropped here.
    pub(crate) fn tell(&self, event: &Value, text: &str) {
        let line = match self.style {
            Style::Json => json::line(event),
            _ => clean::block(text).trim_end().to_owned(),
        };
        let mut state = self.lock();
        self.print(&mut state, &line);
    }

    /// What is told even where nothing else is: why there is no result.
    pub(crate) fn error(&self, event: &Value, text: &str) {
        self.end();
        let line = match self.style {
            Style::Json => json::line(event),
            _ => clean::block(text),
        };
        write(&line);
    }

    fn print(&self, state: &mut State, line: &str) {
        if self.style == Style::Silent {
            return;
        }
        if state.asking {
            return state.waiting.push(line.to_owned());
        }
        match &state.bar {
            Some(bar) => bar.suspend(|| write(line)),
            None => write(line),
        }
    }

    /// Leaves the terminal to a question, until what this returns is dropped.
    pub(crate) fn pause(&self) -> Pause<'_> {
        let mut state = self.lock();
        state.asking = true;
        if let Some(bar) = state.bar.take() {
            bar.finish_and_clear();
        }
        Pause(self)
    }

    /// Whether a question is in the terminal.
    pub(crate) fn is_paused(&self) -> bool {
        self.lock().asking
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn with_status(&self, text: &str) -> String {
        match self.status {
            Some(status) if text.is_empty() => status.to_string(),
            Some(status) => format!("{status}: {text}"),
            None => text.trim_start().to_owned(),
        }
    }

    fn draw(&mut self) {
        if self.asking {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::new(STEPS);
            bar.enable_steady_tick(TICK);
            bar
        });
        let template = if self.done.is_some() { BAR } else { WHEEL };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        if let Some(done) = self.done {
            bar.set_position(steps(done));
        }
        bar.set_message(self.text.clone());
    }
}

/// Whether the terminal can do no more than write lines: there is no bar in one.
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|kind| kind == "dumb")
}

/// What a message says, and how far that is, of one: servers whose wire has no progress of tasks put it at the end.
fn far(message: &str) -> (&str, Option<f64>) {
    let percent = || {
        let (text, number) = message.strip_suffix("%)")?.rsplit_once('(')?;
        let percent: f64 = number.parse().ok()?;
        (0.0..=100.0)
            .contains(&percent)
            .then(|| (text.trim_end(), Some(percent / 100.0)))
    };
    percent().unwrap_or((message, None))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a part of one makes a part of the steps"
)]
fn steps(part: f64) -> u64 {
    (part * STEPS as f64) as u64
}

/// While this lives, the terminal belongs to a question.
#[derive(Debug)]
pub(crate) struct Pause<'a>(&'a Screen);

impl Drop for Pause<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.asking = false;
        for line in std::mem::take(&mut state.waiting) {
            write(&line);
        }
        if self.0.style == Style::Bar {
            state.draw();
        }
    }
}

/// Writes a line. Nobody can be told that standard error is closed.
fn write(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use tokio::time::sleep;

    use super::*;

    #[test]
    fn a_percentage_at_the_end_of_a_message_fills_the_bar() {
        assert_eq!(far("rolling out (40%)"), ("rolling out", Some(0.4)));
        assert_eq!(far("(7%)"), ("", Some(0.07)));
        for message in ["rolling out", "40%", "(140%)", "(all%)", "x (40%) y", ""] {
            assert_eq!(far(message), (message, None));
        }
    }

    fn told(screen: &Screen) -> String {
        let state = screen.lock();
        state.told.as_ref().expect("a line").0.clone()
    }

    #[tokio::test(start_paused = true)]
    async fn lines_are_told_when_the_status_changes_or_the_last_is_a_while_ago() {
        let screen = Screen::new(StatusStyle::Lines);
        screen.state(Some(Status::Working), "one".to_owned());
        assert_eq!(told(&screen), "one");
        screen.state(Some(Status::Working), "two".to_owned());
        assert_eq!(told(&screen), "one", "too soon");
        screen.state(Some(Status::InputRequired), "three".to_owned());
        assert_eq!(told(&screen), "three");
        sleep(LINES).await;
        assert_eq!(told(&screen), "three", "two is no longer true");
        screen.state(None, "four".to_owned());
        assert_eq!(told(&screen), "four");
    }

    #[tokio::test(start_paused = true)]
    async fn the_last_of_many_messages_is_told_once_it_is_time() {
        let screen = Screen::new(StatusStyle::Lines);
        for message in ["one", "two", "three"] {
            screen.state(None, message.to_owned());
        }
        sleep(LINES / 2).await;
        assert_eq!(told(&screen), "one");
        sleep(LINES).await;
        assert_eq!(told(&screen), "three");
        screen.state(None, "four".to_owned());
        screen.state(None, "three".to_owned());
        sleep(LINES * 2).await;
        assert_eq!(told(&screen), "three");
        screen.state(None, "five".to_owned());
        assert_eq!(told(&screen), "five");
        screen.state(None, "six".to_owned());
        screen.end();
        sleep(LINES * 2).await;
        assert_eq!(told(&screen), "five", "the call has ended");
    }

    #[test]
    fn lines_wait_while_a_question_is_in_the_terminal() {
        let screen = Screen::new(StatusStyle::Lines);
        let pause = screen.pause();
        screen.note("later");
        assert_eq!(screen.lock().waiting, ["later"]);
        assert!(screen.is_paused());
        drop(pause);
        assert!(screen.lock().waiting.is_empty());
    }
}
