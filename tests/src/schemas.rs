//! Messages checked against the official JSON Schemas, which `tests/schemas/fetch` puts beside this crate.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use jsonschema::Validator;
use serde_json::{Value, json};

mod methods;

use self::methods::Method;

/// The revisions that have a schema.
pub const REVISIONS: [&str; 4] = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

/// Which way a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the client to the server.
    ToServer,
    /// From the server to the client.
    ToClient,
}

/// The schemas of all revisions.
pub struct Schemas {
    documents: HashMap<&'static str, Value>,
    validators: Mutex<HashMap<(&'static str, String), Arc<Validator>>>,
}

impl Schemas {
    /// The schemas that `tests/schemas/fetch` left; `None`, with a notice, where it has not run.
    ///
    /// # Panics
    ///
    /// In their absence under `CI`, where no check may be skipped.
    pub fn load() -> Option<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(".schemas");
        match Self::read(&folder) {
            Ok(schemas) => Some(schemas),
            Err(why) if std::env::var_os("CI").is_some() => panic!("{why}"),
            Err(why) => {
                eprintln!("not checked against the official schemas: {why}");
                None
            }
        }
    }

    fn read(folder: &Path) -> Result<Self, String> {
        let mut documents: HashMap<_, Value> = HashMap::new();
        for revision in REVISIONS {
            let path: PathBuf = folder.join(format!("{revision}.json"));
            let text = std::fs::read_to_string(&path)
                .map_err(|error| format!("{}: {error}; run tests/schemas/fetch", path.display()))?;
            let document = serde_json::from_str(&text)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            documents.insert(revision, document);
        }
        add_tasks_extension(&mut documents);
        Ok(Self {
            documents,
            validators: Mutex::default(),
        })
    }

    /// Checks one JSON-RPC message: the envelope, then what is in it, by its method, or by the method of the
    /// request that it answers (`method_of_request`, which responses need and nothing else reads).
    ///
    /// `Err` lists what does not fit, a line each.
    ///
    /// # Panics
    ///
    /// On a revision that is none of [`REVISIONS`], and on a response without `method_of_request`.
    pub fn check_message(
        &self,
        revision: &str,
        direction: Direction,
        method_of_request: Option<&str>,
        message: &Value,
    ) -> Result<(), String> {
        let check = Check {
            schemas: self,
            revision: known(revision),
            direction,
        };
        if let Value::Array(members) = message {
            return check.batch(members, method_of_request);
        }
        match (message.get("method"), message.get("id")) {
            (Some(method), Some(_)) => check.request(method, message),
            (Some(method), None) => check.notification(method, message),
            (None, _) if message.get("result").is_none() && message.get("error").is_none() => Err(
                format!("neither request, notification nor response: {message}"),
            ),
            (None, _) => {
                let method = method_of_request.expect("a response belongs to a request's method");
                check.response(method, message)
            }
        }
    }

    /// Checks a value against one definition of a revision's schema.
    ///
    /// # Panics
    ///
    /// If the revision has no such definition.
    pub fn check(&self, revision: &str, definition: &str, value: &Value) -> Result<(), String> {
        let validator = self.validator(known(revision), definition);
        let faults: Vec<_> = validator
            .iter_errors(value)
            .map(|error| {
                format!(
                    "{definition} {revision}: {}: {error}",
                    error.instance_path()
                )
            })
            .collect();
        if faults.is_empty() {
            Ok(())
        } else {
            Err(faults.join("\n"))
        }
    }

    fn validator(&self, revision: &'static str, definition: &str) -> Arc<Validator> {
        let mut validators = self
            .validators
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let validator = validators
            .entry((revision, definition.to_owned()))
            .or_insert_with(|| Arc::new(self.build(revision, definition)));
        Arc::clone(validator)
    }

    fn build(&self, revision: &str, definition: &str) -> Validator {
        let document = &self.documents[revision];
        let keyword = if document.get("$defs").is_some() {
            "$defs"
        } else {
            "definitions"
        };
        let definitions = &document[keyword];
        assert!(
            definitions.get(definition).is_some(),
            "the schema of {revision} has no definition {definition}"
        );
        let schema = json!({
            "$schema": document["$schema"],
            "allOf": [{ "$ref": format!("#/{keyword}/{definition}") }],
            keyword: definitions,
        });
        jsonschema::options()
            .should_validate_formats(true)
            .build(&schema)
            .unwrap_or_else(|error| panic!("{definition} of {revision} is no schema: {error}"))
    }
}

/// The schema of 2026-07-28 has the core alone.
fn add_tasks_extension(documents: &mut HashMap<&'static str, Value>) {
    let extension: Value = serde_json::from_str(include_str!("../schemas/tasks-extension.json"))
        .expect("the extension's definitions are JSON");
    let core = documents
        .get_mut("2026-07-28")
        .and_then(|document| document["$defs"].as_object_mut());
    let (Some(core), Some(extension)) = (core, extension["$defs"].as_object()) else {
        panic!("both schemas have definitions");
    };
    for (name, definition) in extension {
        let defined = core.insert(name.clone(), definition.clone());
        assert!(defined.is_none(), "2026-07-28 defines {name} itself");
    }
}

fn known(revision: &str) -> &'static str {
    REVISIONS
        .into_iter()
        .find(|known| *known == revision)
        .unwrap_or_else(|| panic!("no schema of a revision {revision}"))
}

/// One message's check.
struct Check<'a> {
    schemas: &'a Schemas,
    revision: &'static str,
    direction: Direction,
}

impl Check<'_> {
    fn request(&self, method: &Value, message: &Value) -> Result<(), String> {
        self.fits("JSONRPCRequest", message)?;
        if self.revision == "2026-07-28" {
            self.fits("RequestParams", &message["params"])?;
        }
        let method = self.method(method, self.direction)?;
        self.fits(method.message, message)
    }

    fn notification(&self, method: &Value, message: &Value) -> Result<(), String> {
        self.fits("JSONRPCNotification", message)?;
        let method = self.method(method, self.direction)?;
        self.fits(method.message, message)
    }

    fn response(&self, method: &str, message: &Value) -> Result<(), String> {
        if let Some(error) = message.get("error") {
            return self.fits(self.error_definition(error), message);
        }
        let typed = matches!(self.revision, "2025-11-25" | "2026-07-28");
        self.fits(
            if typed {
                "JSONRPCResultResponse"
            } else {
                "JSONRPCResponse"
            },
            message,
        )?;
        let asked = match self.direction {
            Direction::ToClient => Direction::ToServer,
            Direction::ToServer => Direction::ToClient,
        };
        let method = self.method(&method.into(), asked)?;
        let result = &message["result"];
        let definition = method
            .result(result)
            .ok_or_else(|| format!("no result of {}: {result}", method.name))?;
        self.fits(definition, result)
    }

    fn batch(&self, members: &[Value], method_of_request: Option<&str>) -> Result<(), String> {
        if self.revision != "2025-03-26" {
            return Err(format!("{} has no batches", self.revision));
        }
        if members.is_empty() {
            return Err("a batch has members".into());
        }
        members.iter().try_for_each(|member| {
            self.schemas
                .check_message(self.revision, self.direction, method_of_request, member)
        })
    }

    fn method(&self, name: &Value, direction: Direction) -> Result<&'static Method, String> {
        methods::METHODS
            .iter()
            .find(|method| {
                *name == method.name
                    && method.revisions.contains(&self.revision)
                    && method.directions.contains(&direction)
            })
            .ok_or_else(|| format!("{} has no method {name} {direction:?}", self.revision))
    }

    fn error_definition(&self, error: &Value) -> &'static str {
        match (self.revision, error["code"].as_i64()) {
            ("2025-03-26" | "2025-06-18", _) => "JSONRPCError",
            ("2026-07-28", Some(-32020)) => "HeaderMismatchError",
            ("2026-07-28", Some(-32021)) => "MissingRequiredClientCapabilityError",
            ("2026-07-28", Some(-32022)) => "UnsupportedProtocolVersionError",
            _ => "JSONRPCErrorResponse",
        }
    }

    fn fits(&self, definition: &str, value: &Value) -> Result<(), String> {
        self.schemas.check(self.revision, definition, value)
    }
}

#[cfg(test)]
mod tests;
