//! What the client warns of, such as a line that is no message or a tool that is left out, and what it waits for: told as
//! notes, since whoever tries a server wants to know what is wrong with it, and why nothing happens.

use std::fmt::{self, Debug};
use std::sync::Arc;

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use crate::clean;
use crate::screen::Screen;

/// Who is listened to.
const CLIENT: &str = "mcp_tasks::";

/// Takes the warnings and notices of the whole process from now on.
pub(crate) fn tell(screen: &Arc<Screen>) {
    // Nobody else has set another by now.
    let _ = tracing::subscriber::set_global_default(Warnings(Arc::clone(screen)));
}

struct Warnings(Arc<Screen>);

impl Subscriber for Warnings {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event()
            && *metadata.level() <= Level::INFO
            && metadata.target().starts_with(CLIENT)
    }

    fn event(&self, event: &Event<'_>) {
        let mut message = Message::default();
        event.record(&mut message);
        self.0.note(&clean::status(&message.0));
    }

    // There are no spans, since none is enabled.
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The words of an event.
#[derive(Default)]
struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            let _ = fmt::write(&mut self.0, format_args!("{value:?}"));
        }
    }
}
