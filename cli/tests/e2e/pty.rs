//! A terminal, which the test plays the user of.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::process::Child;
use std::thread;

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

use crate::run::program;

pub(crate) const ENTER: &str = "\r";
pub(crate) const DOWN: &str = "\x1b[B";
pub(crate) const CTRL_C: &str = "\x03";

/// A run of the program in a terminal.
pub(crate) struct Terminal {
    child: Child,
    /// The user's end: what is written here was typed.
    user: File,
    pub(crate) shown: String,
    /// How much of what was shown has been looked at.
    looked: usize,
}

impl Terminal {
    pub(crate) fn open(words: &[&str], environment: &[(&str, &str)]) -> Self {
        let user = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&user).expect("ours");
        unlockpt(&user).expect("ours");
        let path = ptsname(&user, Vec::new()).expect("it has a name");
        let path = path.to_str().expect("a path");
        let device = OpenOptions::new()
            .read(true)
            .write(true)
            .open(path)
            .expect("it opens");
        let size = Winsize {
            ws_row: 40,
            ws_col: 120,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&device, size).expect("a size");
        let end = || device.try_clone().expect("another end");
        let child = program(words)
            .env("TERM", "xterm")
            .envs(environment.iter().copied())
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .expect("it starts");
        Self {
            child,
            user: user.into(),
            shown: String::new(),
            looked: 0,
        }
    }

    /// Waits until `text` is shown below what was waited for before.
    pub(crate) fn until(&mut self, text: &str) {
        let mut buffer = [0; 4096];
        loop {
            if let Some(at) = self.shown[self.looked..].find(text) {
                self.looked += at + text.len();
                return;
            }
            // Once the program has closed its end, the system says that there is nothing to read, in one way or another.
            let read = self.user.read(&mut buffer).unwrap_or(0);
            assert_ne!(read, 0, "{text:?} is not shown in {:?}", self.shown);
            let new = strip_ansi_escapes::strip(&buffer[..read]);
            self.shown.push_str(&String::from_utf8_lossy(&new));
        }
    }

    pub(crate) fn types(&mut self, keys: &str) {
        self.user
            .write_all(keys.as_bytes())
            .expect("the terminal is open");
    }

    /// Waits for a prompt, and types once keys are read one by one: before that, the system takes Ctrl-C for itself.
    pub(crate) fn answer(&mut self, prompt: &str, keys: &str) {
        self.until(prompt);
        while self.echoes() {
            let ended = self.child.try_wait().expect("a process");
            assert!(
                ended.is_none(),
                "no prompt, but {ended:?}: {:?}",
                self.shown
            );
            thread::yield_now();
        }
        self.types(keys);
    }

    /// What Ctrl-C does while nothing is asked: the test's terminal does not control the program.
    pub(crate) fn interrupt(&self) {
        kill_process(Pid::from_child(&self.child), Signal::INT).expect("it runs");
    }

    /// The exit code, once the end of what was shown has been read.
    pub(crate) fn end(&mut self) -> Option<i32> {
        self.child.wait().expect("it ends").code()
    }

    /// Whether the terminal shows what is typed, as it did at first.
    pub(crate) fn echoes(&self) -> bool {
        tcgetattr(&self.user)
            .expect("a terminal")
            .local_modes
            .contains(LocalModes::ECHO)
    }
}
