//! The terminal as it was found. A question that is still there at the end has left it in another state.

use dialoguer::console::Term;

/// How the terminal was, if there is one.
pub(crate) struct Found {
    #[cfg(unix)]
    mode: Option<rustix::termios::Termios>,
}

impl Found {
    pub(crate) fn note() -> Self {
        Self {
            #[cfg(unix)]
            mode: rustix::termios::tcgetattr(std::io::stdin()).ok(),
        }
    }

    pub(crate) fn restore(self) {
        #[cfg(unix)]
        if let Some(mode) = self.mode {
            use rustix::termios::{OptionalActions, tcsetattr};
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, &mode);
        }
        let stderr = Term::stderr();
        let _ = stderr.show_cursor();
        let _ = stderr.write_line("");
    }
}
