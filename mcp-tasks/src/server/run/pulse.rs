//! How often a run's progress leaves: at once while little happens, thinned to the latest value in a flood.

use std::fmt::Write;
use std::time::Duration;

use tokio::time::Instant;

/// Progress notifications: a burst of ten, then so many a second.
pub(super) struct ProgressPulse {
    /// Nanoseconds, at most a second of them.
    every: u32,
    /// When the next notification is due if all ten of the burst are used up; lies in the past after a rest.
    next: Option<Instant>,
    /// The highest value so far: values must rise.
    highest: f64,
    waiting: Option<Box<Progress>>,
}

/// One progress value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Progress {
    pub(super) done: f64,
    pub(super) total: Option<f64>,
    pub(super) text: String,
}

impl ProgressPulse {
    const BURST: u32 = 10;

    pub(super) fn new(per_second: u32) -> Self {
        Self {
            every: 1_000_000_000 / per_second.max(1),
            next: None,
            highest: f64::NEG_INFINITY,
            waiting: None,
        }
    }

    fn every(&self) -> Duration {
        Duration::from_nanos(self.every.into())
    }

    /// Whether the value is higher than all before it; remembers it if so.
    pub(super) fn rises(&mut self, done: f64) -> bool {
        let rises = done > self.highest && done.is_finite();
        if rises {
            self.highest = done;
        }
        rises
    }

    /// Takes a value; gives it back if it may leave at once.
    pub(super) fn offer(&mut self, done: f64, total: Option<f64>, text: &str) -> Option<Progress> {
        if let Some(waiting) = &mut self.waiting {
            waiting.done = done;
            waiting.total = total;
            waiting.text.clear();
            waiting.text.push_str(text);
            return None;
        }
        let progress = Progress {
            done,
            total,
            text: text.to_owned(),
        };
        if self.spend(Instant::now()) {
            return Some(progress);
        }
        self.waiting = Some(Box::new(progress));
        None
    }

    /// A virtual clock that may run a burst ahead of the real one.
    fn spend(&mut self, now: Instant) -> bool {
        let next = self.next.map_or(now, |next| next.max(now)) + self.every();
        let may = next <= now + self.every() * Self::BURST;
        if may {
            self.next = Some(next);
        }
        may
    }

    /// When the value that waits may leave.
    pub(super) fn due(&self) -> Option<Instant> {
        self.waiting.as_ref()?;
        Some(self.next? - self.every() * (Self::BURST - 1))
    }

    /// The value that waits, due or not: nothing may follow the end.
    pub(super) fn take(&mut self) -> Option<Progress> {
        self.waiting.take().map(|progress| *progress)
    }

    /// The value that waited, once it may leave.
    pub(super) fn take_due(&mut self, now: Instant) -> Option<Progress> {
        if self.due()? > now {
            return None;
        }
        self.spend(now);
        self.take()
    }
}

/// A task's status message: at most four a second, and with the next transition.
#[derive(Default)]
pub(super) struct MessagePulse {
    waiting: Option<String>,
    next: Option<Instant>,
}

impl MessagePulse {
    const EVERY: Duration = Duration::from_millis(250);

    pub(super) fn set(&mut self, text: &str) {
        let waiting = self.waiting.get_or_insert_default();
        waiting.clear();
        waiting.push_str(text);
    }

    /// A task has no numbers of its own to show: the message has to carry them.
    pub(super) fn set_progress(&mut self, done: f64, total: Option<f64>, text: &str) {
        self.set(text);
        let Some(total) = total.filter(|total| *total > 0.0) else {
            return;
        };
        let waiting = self.waiting.get_or_insert_default();
        // Whole, since this is done for each value, and floats take longer to write.
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is between 0 and 100, or no number and then 0"
        )]
        let percent = (done / total * 100.0).clamp(0.0, 100.0) as u8;
        let _ = match text {
            "" => write!(waiting, "{percent}%"),
            _ => write!(waiting, " ({percent}%)"),
        };
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.waiting.is_some()
    }

    /// When the message that waits may be written.
    pub(super) fn due(&self, now: Instant) -> Option<Instant> {
        self.waiting.as_ref().map(|_| self.next.unwrap_or(now))
    }

    pub(super) fn take_due(&mut self, now: Instant) -> Option<String> {
        if self.due(now)? > now {
            return None;
        }
        self.take(now)
    }

    /// The message that waits, due or not: a transition takes it along.
    pub(super) fn take(&mut self, now: Instant) -> Option<String> {
        let message = self.waiting.take()?;
        self.next = Some(now + Self::EVERY);
        Some(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_flood_leaves_as_a_burst_of_ten_and_then_ten_a_second() {
        let mut pulse = ProgressPulse::new(10);
        let mut left = 0;
        for step in 0..10_000 {
            left += u32::from(pulse.offer(f64::from(step), None, "x").is_some());
        }
        assert_eq!(left, 10);
        for _ in 0..20 {
            let due = pulse.due().expect("the latest value waits");
            tokio::time::sleep_until(due).await;
            assert!(pulse.take_due(Instant::now()).is_some());
            assert!(pulse.offer(0.0, None, "y").is_none());
            left += 1;
        }
        assert_eq!(left, 30);
    }

    #[tokio::test(start_paused = true)]
    async fn the_value_that_waits_is_the_latest() {
        let mut pulse = ProgressPulse::new(10);
        for step in 0..=50 {
            pulse.offer(f64::from(step), Some(50.0), &step.to_string());
        }
        tokio::time::sleep_until(pulse.due().expect("it waits")).await;
        let latest = pulse.take_due(Instant::now()).expect("it is due");
        assert_eq!(
            latest,
            Progress {
                done: 50.0,
                total: Some(50.0),
                text: "50".into()
            }
        );
        assert!(pulse.due().is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn a_message_is_written_at_once_and_then_every_quarter_of_a_second() {
        let mut pulse = MessagePulse::default();
        pulse.set("one");
        assert_eq!(pulse.take_due(Instant::now()).as_deref(), Some("one"));
        pulse.set("two");
        pulse.set("three");
        assert_eq!(pulse.take_due(Instant::now()), None);
        tokio::time::advance(Duration::from_millis(250)).await;
        assert_eq!(pulse.take_due(Instant::now()).as_deref(), Some("three"));
    }

    #[test]
    fn a_message_carries_the_share_that_is_done() {
        let mut pulse = MessagePulse::default();
        let mut message = |done, total, text: &str| {
            pulse.set_progress(done, total, text);
            pulse.waiting.clone().expect("a message waits")
        };
        assert_eq!(message(3.0, Some(5.0), "rolling out"), "rolling out (60%)");
        assert_eq!(message(3.0, None, "rolling out"), "rolling out");
        assert_eq!(message(7.0, Some(5.0), ""), "100%");
        assert_eq!(message(1.0, Some(0.0), "x"), "x");
    }

    #[test]
    fn only_finite_rising_values_are_progress() {
        let mut pulse = ProgressPulse::new(10);
        assert!(pulse.rises(0.0));
        assert!(!pulse.rises(0.0));
        assert!(!pulse.rises(-1.0));
        assert!(!pulse.rises(f64::NAN));
        assert!(!pulse.rises(f64::INFINITY));
        assert!(pulse.rises(0.5));
    }
}
