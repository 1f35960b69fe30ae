//! The program with a server of another project. `tests/interop/servers/run` starts the servers, and these tests for
//! each of them.

use std::env;
use std::thread;

use serde_json::Value;

use crate::pty::{DOWN, ENTER, Terminal};
use crate::run::{Ended, Running, run};

/// Where a server is, and what is its own about it.
struct Peer {
    /// `--url URL` or `-- COMMAND ..`.
    place: Vec<String>,
    /// The one field of its forms.
    field: &'static str,
    /// Its tasks are those of 2025-11-25.
    core_tasks: bool,
    /// It keeps the protocol error of a task.
    keeps_errors: bool,
    /// Any client may see its tasks, and not only the session that made them.
    shares_tasks: bool,
}

impl Peer {
    /// The server that the variables name.
    fn of_environment() -> Self {
        let variable =
            |name: &str| env::var(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        let name = variable("INTEROP_PEER");
        let of = |names: &[&str]| names.contains(&name.as_str());
        assert!(of(&["rmcp", "sdk", "fastmcp3", "fastmcp4"]), "{name}");
        Self {
            place: shell_words::split(&variable("INTEROP_PLACE")).expect("words"),
            field: if of(&["fastmcp3"]) {
                "value"
            } else {
                "confirm"
            },
            core_tasks: of(&["sdk", "fastmcp3"]),
            keeps_errors: of(&["rmcp", "fastmcp4"]),
            shares_tasks: !of(&["sdk"]),
        }
    }

    fn words<'a>(&'a self, words: &[&'a str]) -> Vec<&'a str> {
        let place = self.place.iter().map(String::as_str);
        words.iter().copied().chain(place).collect()
    }

    fn run(&self, words: &[&str]) -> Ended {
        run(&self.words(words))
    }

    fn start(&self, words: &[&str]) -> Running {
        Running::start(&self.words(words))
    }

    /// Runs the program, which has to end with this code after writing this.
    fn gives(&self, words: &[&str], code: i32, stdout: &str) -> Ended {
        let ended = self.run(words);
        let got = (ended.code, ended.stdout.trim_end());
        assert_eq!(got, (Some(code), stdout), "{words:?}: {ended:?}");
        ended
    }

    /// Runs the program, which has to end with this code after telling this.
    fn refuses(&self, words: &[&str], code: i32, why: &str) {
        let ended = self.gives(words, code, "");
        assert!(ended.stderr.contains(why), "{words:?}: {why}: {ended:?}");
    }
}

/// What is tried over stdio too, where every run has a server of its own.
mod anywhere {
    use super::*;

    #[test]
    #[ignore = "needs a server, which tests/interop/servers/run starts"]
    fn tools_are_listed() {
        let peer = Peer::of_environment();
        let list = peer.run(&["tools", "--json"]).json();
        let tools = list["tools"].as_array().expect("a list");
        let mut names: Vec<_> = tools
            .iter()
            .filter_map(|tool| tool["name"].as_str())
            .collect();
        names.sort_unstable();
        let expected = [
            "approve",
            "build",
            "build_now",
            "deploy",
            "deploy_now",
            "divide",
            "ended",
            "greet",
            "import_file",
            "migrate",
        ];
        assert_eq!(names, expected);
        let build = peer.run(&["tools", "build"]);
        assert!(
            build.stdout.contains("target (text, required)"),
            "{build:?}"
        );
    }

    #[test]
    #[ignore = "needs a server, which tests/interop/servers/run starts"]
    fn a_question_is_answered_from_the_command_line() {
        let peer = Peer::of_environment();
        let answer = format!("{}=true", peer.field);
        let words = ["call", "deploy", "env=prod", "--answer", &answer];
        let ended = peer.gives(&words, 0, "deployed to prod");
        let told = format!("accepted (by --answer): {answer}");
        for text in ["asks: Deploy to prod?", &told] {
            assert!(ended.stderr.contains(text), "{text}: {ended:?}");
        }
    }

    #[test]
    #[ignore = "needs a server, which tests/interop/servers/run starts"]
    fn a_question_is_answered_in_a_terminal() {
        let peer = Peer::of_environment();
        let mut terminal = Terminal::open(&peer.words(&["call", "deploy", "env=prod"]), &[]);
        terminal.until("asks: Deploy to prod?");
        terminal.answer("Dismiss", ENTER);
        terminal.answer("no", ENTER);
        terminal.until("accepted: ");
        terminal.until("deployed to prod");
        assert_eq!(terminal.end(), Some(0), "{:?}", terminal.shown);
    }

    #[test]
    #[ignore = "needs a server, which tests/interop/servers/run starts"]
    fn ctrl_c_cancels_a_task() {
        let peer = Peer::of_environment();
        let mut call = peer.start(&["call", "build", "target=interrupted"]);
        call.until("waiting for approval");
        call.interrupt();
        call.until("cancelling; another Ctrl-C");
        let ended = call.end();
        assert_eq!((ended.code, &*ended.stdout), (Some(130), ""), "{ended:?}");
        assert!(
            ended.stderr.contains("the call of `build` was cancelled"),
            "{ended:?}"
        );
    }
}

/// What takes many runs, or several with one server.
mod over_http {
    use super::*;

    #[test]
    #[ignore = "needs a server, which tests/interop/servers/run starts"]
    fn results_and_errors_have_their_exit_codes() {
        let peer = Peer::of_environment();
        peer.gives(&["call", "greet", "name=Ada"], 0, "Hello, Ada!");
        peer.gives(&["call", "divide", "dividend=6", "divisor=3"], 0, "2");
        peer.gives(
            &["call", "divide", "dividend=1", "divisor=0"],
            1,
            "division by zero",
        );
        let json = peer.run(&["call", "divide", "dividend=1", "divisor=0", "--json"]);
        assert_eq!(json.code, Some(1), "{json:?}");
        assert_eq!(json.json()["isError"], true);
        assert_eq!(json.json()["content"][0]["text"], "division by zero");
        peer.gives(&["call", "import_file", "file=x"], 1, "no such file: x");
        if peer.keeps_errors {
            let why = "the call of `migrate`: the migration broke off (-32603)";
            peer.refuses(&["call", "migrate"], 3, why);
        } else {
            assert_eq!(peer.run(&["call", "migrate"]).code, Some(1));
        }
    }

    #[test]
    #[ignore = "needs a server, which tests/interop/servers/run starts"]
    fn arguments_are_checked_before_they_are_sent() {
        let peer = Peer::of_environment();
        peer.refuses(&["call", "greet"], 2, "`name` is missing: expected text");
        peer.refuses(
            &["call", "greet", "name=a", "nmae=b"],
            2,
            "`nmae`: unknown argument",
        );
        peer.refuses(
            &["call", "divide", "dividend=x", "divisor=1"],
            2,
            "`dividend`: expected a",
        );
        peer.refuses(&["call", "great", "name=a"], 2, "is `greet` meant?");
    }

    #[test]
    #[ignore = "needs a server, which tests/interop/servers/run starts"]
    fn a_question_that_nobody_answers_is_declined() {
        let peer = Peer::of_environment();
        for tool in ["deploy", "deploy_now"] {
            let call = ["call", tool, "env=prod"];
            peer.gives(&call, 0, "not deployed to prod");
            let dismiss = [&call[..], &["--questions", "dismiss"]].concat();
            peer.gives(&dismiss, 0, "not deployed to prod");
        }
        let plainly = ["call", "deploy_now", "env=prod", "--no-tasks"];
        peer.gives(&plainly, 0, "not deployed to prod");
        let mut terminal = Terminal::open(&peer.words(&["call", "deploy_now", "env=prod"]), &[]);
        terminal.answer("Dismiss", &format!("{DOWN}{ENTER}"));
        terminal.until("declined");
        terminal.until("not deployed to prod");
        assert_eq!(terminal.end(), Some(0));
    }

    /// The id of the call's task, once the task waits.
    fn waiting(call: &mut Running) -> String {
        let line = call.until("waiting for approval");
        let event: Value = serde_json::from_str(&line).expect("an event");
        event["task"]["taskId"].as_str().expect("an id").to_owned()
    }

    #[test]
    #[ignore = "needs a server, which tests/interop/servers/run starts"]
    fn a_task_is_followed_and_looked_at_by_others() {
        let peer = Peer::of_environment();
        let mut call = peer.start(&["call", "build", "target=followed", "--status", "json"]);
        let id = waiting(&mut call);
        if peer.shares_tasks {
            let task = peer.run(&["task", "get", &id, "--json"]).json();
            assert_eq!(
                (&task["taskId"], &task["status"]),
                (&id.clone().into(), &"working".into())
            );
            peer.refuses(
                &["task", "result", &id],
                3,
                "has not ended: it is `working`",
            );
            let mut wait = peer.start(&["task", "wait", &id]);
            wait.until("waiting for approval");
            peer.gives(&["call", "approve", "target=followed"], 0, "approved");
            assert_eq!(wait.end().stdout.trim_end(), "built followed");
            peer.gives(&["task", "result", &id], 0, "built followed");
        } else {
            peer.refuses(&["task", "get", &id], 3, "(-32602)");
            peer.gives(&["call", "approve", "target=followed"], 0, "approved");
        }
        let ended = call.end();
        assert_eq!(
            (ended.code, ended.stdout.trim_end()),
            (Some(0), "built followed"),
            "{ended:?}"
        );
    }

    #[test]
    #[ignore = "needs a server, which tests/interop/servers/run starts"]
    fn a_task_is_cancelled_by_its_id_and_its_function_stops() {
        let peer = Peer::of_environment();
        let mut call = peer.start(&["call", "build", "target=cancelled", "--status", "json"]);
        let id = waiting(&mut call);
        if peer.shares_tasks {
            assert_eq!(peer.run(&["task", "cancel", &id]).code, Some(0));
        } else {
            peer.refuses(&["task", "cancel", &id], 3, "(-32602)");
            call.interrupt();
        }
        peer.gives(
            &["call", "ended", "target=cancelled"],
            0,
            "the build of cancelled has ended",
        );
        let ended = call.end();
        assert_eq!(ended.code, Some(130), "{ended:?}");
        assert!(
            ended.stderr.contains("the call of `build` was cancelled"),
            "{ended:?}"
        );
    }

    #[test]
    #[ignore = "needs a server, which tests/interop/servers/run starts"]
    fn ctrl_c_and_a_timeout_stop_the_function() {
        let peer = Peer::of_environment();
        thread::scope(|scope| {
            scope.spawn(|| {
                let mut call = peer.start(&["call", "build_now", "target=plain", "--no-tasks"]);
                call.until("waiting for approval");
                call.interrupt();
                peer.gives(
                    &["call", "ended", "target=plain"],
                    0,
                    "the build of plain has ended",
                );
                assert_eq!(call.end().code, Some(130));
            });
            let words = ["call", "build", "target=timed", "--timeout", "3s"];
            peer.refuses(
                &words,
                5,
                "the time of --timeout is over, and the call is cancelled",
            );
            peer.gives(
                &["call", "ended", "target=timed"],
                0,
                "the build of timed has ended",
            );
        });
    }

    #[test]
    #[ignore = "needs a server, which tests/interop/servers/run starts"]
    fn what_a_wire_or_a_server_lacks_is_told() {
        let peer = Peer::of_environment();
        if peer.core_tasks {
            let list = peer.run(&["task", "list", "--json"]).json();
            assert!(list["tasks"].is_array(), "{list}");
        } else {
            peer.refuses(&["task", "list"], 3, "has no list of tasks");
        }
        peer.refuses(
            &["task", "delete", "any"],
            3,
            "does not have a way to delete tasks",
        );
        for command in ["get", "result", "cancel"] {
            peer.refuses(&["task", command, "none"], 3, "of the task none: ");
        }
        peer.refuses(&["task", "wait", "none"], 3, "the task none: ");
    }
}
