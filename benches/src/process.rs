//! A server that is measured, as a process of its own.

use std::io::{self, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use nix::time::ClockId;
use nix::unistd::Pid;

/// A running server. It is killed when this is dropped.
pub(crate) struct Process {
    child: Child,
}

/// The server's ends of its pipes.
pub(crate) struct Pipes {
    pub(crate) input: ChildStdin,
    pub(crate) output: BufReader<ChildStdout>,
}

impl Process {
    /// Starts a program, whose standard error goes where ours does.
    pub(crate) fn start(program: &Path, arguments: &[&str]) -> io::Result<(Self, Pipes)> {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("a child without pipes"));
        };
        let output = BufReader::with_capacity(1 << 16, output);
        Ok((Self { child }, Pipes { input, output }))
    }

    /// The CPU time, in user and system mode, that all threads of the process have used.
    pub(crate) fn cpu(&self) -> io::Result<Duration> {
        let clock = ClockId::pid_cpu_clock_id(self.pid())?;
        Ok(clock.now()?.into())
    }

    /// The bytes of memory that the process holds, as `VmRSS` of `/proc/PID/status` says.
    pub(crate) fn resident(&self) -> io::Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid()))?;
        let kib = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB"))
            .and_then(|kib| kib.parse::<u64>().ok());
        kib.map(|kib| kib * 1024)
            .ok_or_else(|| io::Error::other("the process has no memory"))
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(self.child.id().cast_signed())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
