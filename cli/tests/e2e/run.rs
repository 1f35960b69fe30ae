//! One run of the program, and the programs that it runs.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};

use serde_json::Value;

/// The program, with standard input that is no terminal.
pub(crate) fn program(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcp-tasks"));
    command
        .args(words)
        .env_remove("MCP_TASKS_BEARER")
        .stdin(Stdio::null());
    command
}

/// How a run ended, and what it wrote.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    /// Standard output as the one JSON document it is.
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.stdout.lines().count(), 1, "one line: {self:?}");
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Standard error as JSON lines.
    pub(crate) fn events(&self) -> Vec<Value> {
        let lines = self.stderr.lines();
        lines
            .map(|line| {
                serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
            })
            .collect()
    }
}

/// Runs the program to its end.
pub(crate) fn run(words: &[&str]) -> Ended {
    let output = program(words).output().expect("it starts");
    Ended {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// A server in the shell. In it, `answer` reads a request and answers it with the members that it is given.
#[cfg(unix)]
pub(crate) fn shell(script: &str) -> String {
    let answer = r#"answer() {
        read a; id=$(echo "$a" | sed 's/.*"id":\([0-9]*\).*/\1/')
        echo "{\"jsonrpc\":\"2.0\",\"id\":$id,$1}"
    }"#;
    format!("{answer}\n{script}")
}

/// A run that is looked at while it goes on.
pub(crate) struct Running {
    child: Child,
    stderr: BufReader<ChildStderr>,
    seen: String,
}

impl Running {
    pub(crate) fn start(words: &[&str]) -> Self {
        let mut child = program(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let stderr = BufReader::new(child.stderr.take().expect("piped"));
        Self {
            child,
            stderr,
            seen: String::new(),
        }
    }

    /// Reads standard error up to the first line that holds `text`, which is returned.
    pub(crate) fn until(&mut self, text: &str) -> String {
        loop {
            let mut line = String::new();
            let read = self.stderr.read_line(&mut line).expect("UTF-8");
            assert_ne!(read, 0, "no line with {text:?} in {:?}", self.seen);
            self.seen.push_str(&line);
            if line.contains(text) {
                return line;
            }
        }
    }

    /// What Ctrl-C does.
    #[cfg(unix)]
    pub(crate) fn interrupt(&self) {
        use rustix::process::{Pid, Signal, kill_process};
        let pid = Pid::from_child(&self.child);
        kill_process(pid, Signal::INT).expect("it runs");
    }

    pub(crate) fn end(mut self) -> Ended {
        self.stderr.read_to_string(&mut self.seen).expect("UTF-8");
        let output = self.child.wait_with_output().expect("it ends");
        Ended {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: self.seen,
        }
    }
}

/// A server among the examples, built before it is first used.
pub(crate) fn example(name: &str) -> String {
    let built = Command::new(env!("CARGO"))
        .args([
            "build", "--quiet", "--locked", "-p", "examples", "--bin", name,
        ])
        .status()
        .expect("cargo starts");
    assert!(built.success(), "{name} cannot be built");
    let path = Path::new(env!("CARGO_BIN_EXE_mcp-tasks")).with_file_name(name);
    let path = path.with_extension(std::env::consts::EXE_EXTENSION);
    path.to_str().expect("a path in UTF-8").to_owned()
}

/// The folder of the workspace.
pub(crate) fn workspace() -> PathBuf {
    let cli = Path::new(env!("CARGO_MANIFEST_DIR"));
    cli.parent().expect("it is in the workspace").to_owned()
}
