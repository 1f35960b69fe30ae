//! The open files of a process, of which every connection is one.

use rustix::process::{Resource, getrlimit, setrlimit};

/// Allows this process as many as the system lets it.
pub fn allow_many() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    setrlimit(Resource::Nofile, limit).expect("up to the maximum it may be set");
}
