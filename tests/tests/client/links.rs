//! Every way to a server, and every kind of client that can take it.

use std::fmt;
use std::process::Command;

use mcp_tasks::Server;
use mcp_tasks::client::{
    Answer, Client, ClientBuilder, ClientError, Endpoint, FormQuestion, HttpEndpoint, Wire,
};
use mcp_tasks::form::Field;
use serde_json::{Value, json};
use tests::pages::with_pages;
use tests::tools::{Probe, server};

/// A way to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    InProcess,
    /// A child process, which takes its tasks along when its client goes.
    Stdio,
    Http,
}

/// A kind of client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) wire: Wire,
    /// Whether it lets calls become tasks.
    pub(crate) tasks: bool,
}

impl Kind {
    pub(crate) const ALL: [Self; 6] = [
        Self {
            wire: Wire::V2026_07_28,
            tasks: true,
        },
        Self {
            wire: Wire::V2026_07_28,
            tasks: false,
        },
        Self {
            wire: Wire::V2025_11_25,
            tasks: true,
        },
        Self {
            wire: Wire::V2025_11_25,
            tasks: false,
        },
        Self {
            wire: Wire::V2025_06_18,
            tasks: false,
        },
        Self {
            wire: Wire::Draft,
            tasks: true,
        },
    ];

    /// What the user does with a form: fills it in, or declines.
    pub(crate) fn client(self, fills_in: bool) -> ClientBuilder {
        Client::builder()
            .wire(self.wire)
            .tasks(self.tasks)
            .on_form(move |question| async move { fill_in(&question, fills_in) })
    }
}

fn fill_in(question: &FormQuestion, fills_in: bool) -> Answer<serde_json::Map<String, Value>> {
    assert!(!question.asker.server.is_empty(), "the user knows who asks");
    if !fills_in {
        return Answer::Declined;
    }
    let known = json!({ "name": "Ada", "count": 3 });
    let fields = question.form.fields().iter().map(Field::name);
    Answer::Accepted(
        fields
            .map(|name| (name.to_owned(), known[name].clone()))
            .collect(),
    )
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} with{} tasks",
            self.wire,
            if self.tasks { "" } else { "out" }
        )
    }
}

/// A server that clients come to by one link.
pub(crate) struct Site {
    pub(crate) link: Link,
    server: Server,
    /// What happens inside its tools; nothing where they are another process's.
    pub(crate) probe: Probe,
}

impl Site {
    pub(crate) fn open(link: Link) -> Self {
        let (server, probe) = server();
        Self {
            link,
            server: with_pages(server),
            probe,
        }
    }

    pub(crate) async fn connect(&self, client: ClientBuilder) -> Result<Client, ClientError> {
        client.connect(self.endpoint()).await
    }

    fn endpoint(&self) -> Endpoint {
        match self.link {
            Link::InProcess => (&self.server).into(),
            Link::Stdio => Command::new(env!("CARGO_BIN_EXE_stdio_server")).into(),
            Link::Http => {
                let service = self
                    .server
                    .clone()
                    .into_service()
                    .expect("a server that can start");
                HttpEndpoint::new("http://127.0.0.1/mcp")
                    .service(service)
                    .into()
            }
        }
    }
}
