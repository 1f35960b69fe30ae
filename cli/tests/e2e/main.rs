//! The program as its users run it: as a process, against servers over HTTP and as processes.

mod calls;
mod detach;
mod hostile;
#[cfg(unix)]
mod interop;
#[cfg(unix)]
mod interrupts;
#[cfg(unix)]
mod pty;
mod questions;
mod readme;
mod run;
mod site;
mod tasks;
#[cfg(unix)]
mod terminal;
