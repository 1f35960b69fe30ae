//! When to stop: at Ctrl-C, at the end of `--timeout`.

use std::io;
use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until};

use crate::exit::Failure;

/// How long a call that has been cancelled because its time was over may take to end.
const GRACE: Duration = Duration::from_secs(10);

/// Why to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    Interrupt,
    Timeout,
}

/// Wishes to stop, one after the other.
#[derive(Debug)]
pub(crate) struct Stop {
    interrupts: Interrupts,
    deadline: Option<Instant>,
}

impl Stop {
    /// Takes Ctrl-C over from the system, which would end the process.
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            interrupts: interrupts()?,
            deadline: None,
        })
    }

    /// From now on there is this much time.
    pub(crate) fn within(&mut self, timeout: Option<Duration>) {
        self.deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
    }

    /// The next wish.
    pub(crate) async fn wished(&mut self) -> Why {
        let over = async {
            match self.deadline {
                Some(deadline) => sleep_until(deadline).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.interrupts.recv() => Why::Interrupt,
            () = over => Why::Timeout,
        }
    }

    /// The wish to wait no longer for the end of what was cancelled for the reason `why`.
    pub(crate) async fn insisted(&mut self, why: Why) {
        let patience = async {
            match why {
                Why::Timeout => sleep(GRACE).await,
                Why::Interrupt => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.interrupts.recv() => {}
            () = patience => {}
        }
    }

    /// What comes of `work`, unless it is to stop. For work that leaves nothing behind.
    pub(crate) async fn or<T, E>(
        &mut self,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, Failure>
    where
        Failure: From<E>,
    {
        tokio::select! {
            done = work => Ok(done?),
            why = self.wished() => Err(why.failure()),
        }
    }
}

impl Why {
    pub(crate) fn failure(self) -> Failure {
        match self {
            Self::Interrupt => Failure::cancelled("interrupted"),
            Self::Timeout => Failure::timed_out("the time of --timeout is over"),
        }
    }
}

#[cfg(unix)]
type Interrupts = tokio::signal::unix::Signal;
#[cfg(windows)]
type Interrupts = tokio::signal::windows::CtrlC;

#[cfg(unix)]
fn interrupts() -> io::Result<Interrupts> {
    use tokio::signal::unix::{SignalKind, signal};
    signal(SignalKind::interrupt())
}

#[cfg(windows)]
fn interrupts() -> io::Result<Interrupts> {
    tokio::signal::windows::ctrl_c()
}
