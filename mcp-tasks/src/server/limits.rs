//! How much a server takes on, and for how long.

use std::time::Duration;

/// Every bound of a server, with a default that suits most.
///
/// ```
/// use std::time::Duration;
/// use mcp_tasks::Limits;
///
/// let mut limits = Limits::default();
/// limits.keep = Duration::from_secs(3600);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// How long a cancelled body that takes a `CancellationToken` may wind down. Default 5 s.
    pub cancel_grace: Duration,
    /// How long accepted calls may finish after the input has ended. Default 5 s.
    pub drain: Duration,
    /// How long an inline call waits for the client to come back with an answer. Default 10 min.
    pub park: Duration,
    /// How often clients are asked to poll a task. Default 1 s.
    pub poll_interval: Duration,
    /// How long a task's result is kept after its end. Default 10 min.
    pub keep: Duration,
    /// The longest a client's own wish (`ttl`) can extend that. While a task runs, the time to live that clients read is
    /// that of the run (`timeout`, else `max_run`) and `keep` together; at its end it becomes what has passed and `keep`,
    /// or the wish if that is later. A wish never ends a run. Default 24 h.
    pub max_keep: Duration,
    /// How long a run without a `timeout` may take. Default 24 h.
    pub max_run: Duration,
    /// How long a question waits for its answer. Default 24 h.
    pub max_wait: Duration,
    /// Tasks that have not ended, and as many calls that wait for their client's answer. Default 100,000.
    pub live_tasks: usize,
    /// The same for one authenticated principal. Default 1,000.
    pub live_tasks_per_principal: usize,
    /// Bytes of results kept for tasks that have ended, as many of the arguments of calls that wait for their client's
    /// answer, and as many of responses that clients of HTTP sessions have not come back for. Default 256 MiB.
    pub kept_bytes: usize,
    /// Bytes of one result. Default 64 MiB.
    pub result_bytes: usize,
    /// Bytes of one line of input on stdio. Default 64 MiB.
    pub line_bytes: usize,
    /// Bytes of the body of one HTTP request. Default 4 MiB.
    pub body_bytes: usize,
    /// Bytes of the bodies of all HTTP requests while they are received and answered, of which 16 KiB of each do not
    /// count. Default 256 MiB.
    pub body_bytes_total: usize,
    /// Bytes of an error's text as the client sees it. Default 8 KiB.
    pub error_bytes: usize,
    /// Requests of one connection, or of one session over HTTP, that are being worked on: calls, waits for a task's
    /// result, subscriptions. Default 1,024.
    pub in_flight: usize,
    /// The same for all connections together. Default 20,000.
    pub in_flight_total: usize,
    /// The same for one authenticated principal. Default 2,000.
    pub in_flight_per_principal: usize,
    /// Subscriptions (`subscriptions/listen`) that are open, each counted as often as it names tasks, at least once.
    /// Default 100,000.
    pub subscriptions: usize,
    /// The same for one authenticated principal. Default 5,000.
    pub subscriptions_per_principal: usize,
    /// Progress notifications of one call in a second. Default 10.
    pub progress_per_second: u32,
    /// Connections of `serve_http`; mind the process's own limit of open files.
    /// Default 20,000.
    pub connections: usize,
    /// How long an HTTP client may take to send a request, its head as its body; a connection without a request is
    /// closed after as long. Default 60 s.
    pub receive: Duration,
    /// Sessions of HTTP clients of the revisions up to 2025-11-25. Default 10,000.
    pub sessions: usize,
    /// The same for one authenticated principal. Default 1,000.
    pub sessions_per_principal: usize,
    /// How long such a session lives without being used; one that nothing has followed since `initialize`, a minute
    /// at most. Default 1 h.
    pub session_idle: Duration,
    /// How long an event stream stays silent before a comment keeps it open. Default 15 s.
    pub keep_alive: Duration,
    /// Threads that run `blocking` tools. Default 256.
    pub blocking_threads: usize,
}

impl Default for Limits {
    fn default() -> Self {
        const MIB: usize = 1024 * 1024;
        const DAY: Duration = Duration::from_secs(24 * 3600);
        Self {
            cancel_grace: Duration::from_secs(5),
            drain: Duration::from_secs(5),
            park: Duration::from_secs(600),
            poll_interval: Duration::from_secs(1),
            keep: Duration::from_secs(600),
            max_keep: DAY,
            max_run: DAY,
            max_wait: DAY,
            live_tasks: 100_000,
            live_tasks_per_principal: 1_000,
            kept_bytes: 256 * MIB,
            result_bytes: 64 * MIB,
            line_bytes: 64 * MIB,
            body_bytes: 4 * MIB,
            body_bytes_total: 256 * MIB,
            error_bytes: 8 * 1024,
            in_flight: 1_024,
            in_flight_total: 20_000,
            in_flight_per_principal: 2_000,
            subscriptions: 100_000,
            subscriptions_per_principal: 5_000,
            progress_per_second: 10,
            connections: 20_000,
            receive: Duration::from_secs(60),
            sessions: 10_000,
            sessions_per_principal: 1_000,
            session_idle: Duration::from_secs(3600),
            keep_alive: Duration::from_secs(15),
            blocking_threads: 256,
        }
    }
}
