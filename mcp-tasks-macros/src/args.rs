//! What stands in `#[mcp_tool(..)]`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser as _};
use syn::{Expr, Ident, LitStr, Path, Token};

use crate::errors::{Errors, nearest};
use crate::krate;
use crate::options::{self, Amount, Opt};

const KEYS: &[&str] = &[
    "name",
    "title",
    "description",
    "icons",
    "meta",
    "read_only",
    "destructive",
    "idempotent",
    "open_world",
    "input_schema",
    "output_schema",
    "allow_unknown",
    "needs",
    "task",
    "timeout",
    "max_running",
    "cancel_grace",
    "blocking",
    "crate",
];
const TASK_KEYS: &[&str] = &["required", "keep", "poll_interval", "after", "begin"];
const NEEDS: &[&str] = &["elicitation", "sampling"];

/// The options of one tool.
pub(crate) struct Args {
    /// The runtime crate as the user's crate knows it.
    pub(crate) krate: Path,
    /// The name that clients see, where it is written and can be one.
    pub(crate) name: Option<LitStr>,
    /// Whether a name is written, good or bad.
    pub(crate) named: bool,
    pub(crate) description: Option<Expr>,
    /// Whether a text stands where it is none; then nothing more is said of a description that is missing.
    pub(crate) misplaced_text: bool,
    /// The key itself, where it stands.
    pub(crate) blocking: Option<Ident>,
    /// All other options, as calls on the `ToolSpec`.
    pub(crate) spec: TokenStream,
    hints: Vec<(Ident, bool)>,
}

impl Args {
    pub(crate) fn parse(tokens: TokenStream, errors: &mut Errors) -> Self {
        let mut args = Self {
            krate: krate::default(),
            name: None,
            named: false,
            description: None,
            misplaced_text: false,
            blocking: None,
            spec: TokenStream::new(),
            hints: Vec::new(),
        };
        let tokens = args.without_bare_text(tokens, errors);
        for option in options::parse(tokens, errors) {
            args.option(&option, errors);
        }
        args.check_hints(errors);
        args
    }

    /// The tokens behind a text that stands first and without its key, which is noted.
    fn without_bare_text(&mut self, tokens: TokenStream, errors: &mut Errors) -> TokenStream {
        let parse = |input: ParseStream<'_>| {
            let text = input.peek(LitStr).then(|| input.parse()).transpose()?;
            if text.is_some() {
                input.parse::<Option<Token![,]>>()?;
            }
            Ok((text, input.parse()?))
        };
        let parsed: syn::Result<(Option<LitStr>, TokenStream)> = parse.parse2(tokens);
        let Some((text, rest)) = errors.ok(parsed) else {
            return TokenStream::new();
        };
        if let Some(text) = text {
            self.misplaced_text = true;
            errors.at(
                text,
                "a description is a `///` comment above the function, or `description = \"..\"`",
            );
        }
        rest
    }

    fn option(&mut self, option: &Opt, errors: &mut Errors) {
        match option.name().as_str() {
            "name" => {
                self.named = true;
                self.name = option
                    .literal(errors)
                    .filter(|lit| check_name(lit, errors))
                    .cloned();
            }
            "description" => self.description = option.text(errors).cloned(),
            "title" | "icons" | "meta" | "input_schema" | "output_schema" => {
                self.call(option, option.text(errors));
            }
            "read_only" | "destructive" | "idempotent" | "open_world" => self.hint(option, errors),
            "allow_unknown" => self.call(option, option.flag(errors)),
            "cancel_grace" => self.amount(option, option.duration(errors), None, errors),
            "timeout" => self.amount(
                option,
                option.duration(errors),
                Some("every run would time out at once; leave it out for no limit of its own"),
                errors,
            ),
            "max_running" => self.amount(
                option,
                option.count(errors),
                Some("the tool would never run; write 1 or more"),
                errors,
            ),
            "needs" => self.needs(option, errors),
            "task" => self.task(option, errors),
            "blocking" => {
                option.bare(errors);
                self.blocking = Some(option.key.clone());
                self.spec.extend(quote!(.blocking()));
            }
            "crate" => {
                if let Some(path) = krate::read(option, errors) {
                    self.krate = path;
                }
            }
            key if TASK_KEYS.contains(&key) => {
                let value = if key == "required" { "" } else { " = .." };
                errors.at(
                    &option.key,
                    format_args!("`{key}` belongs to `task`: write `task({key}{value})`"),
                );
            }
            key => {
                self.misplaced_text |= nearest(key, KEYS) == Some("description");
                option.unknown(KEYS, errors);
            }
        }
    }

    fn call(&mut self, option: &Opt, value: Option<impl ToTokens>) {
        if let Some(value) = value {
            let key = Ident::new(&option.name(), proc_macro2::Span::call_site());
            self.spec.extend(quote!(.#key(#value)));
        }
    }

    fn hint(&mut self, option: &Opt, errors: &mut Errors) {
        let value = option.flag(errors);
        self.hints
            .extend(value.map(|value| (option.key.clone(), value)));
        self.call(option, value);
    }

    /// 2025-11-25 schema, `ToolAnnotations`: `destructiveHint` has a meaning only where `readOnlyHint` is false.
    fn check_hints(&self, errors: &mut Errors) {
        let set = |name| self.hints.iter().find(|(key, value)| *value && key == name);
        if let (Some(_), Some((destructive, _))) = (set("read_only"), set("destructive")) {
            errors.at(
                destructive,
                "a `read_only` tool destroys nothing; keep one of `read_only` and `destructive`",
            );
        }
    }

    /// An amount; where it must not be zero, `at_zero` says why.
    fn amount(
        &mut self,
        option: &Opt,
        amount: Option<Amount>,
        at_zero: Option<&str>,
        errors: &mut Errors,
    ) {
        let is_zero = amount.as_ref().is_some_and(|amount| amount.is_zero);
        if let (true, Some(why)) = (is_zero, at_zero) {
            option.wrong(
                errors,
                format_args!("with a `{}` of zero {why}", option.key),
            );
        }
        self.call(option, amount.map(|amount| amount.tokens));
    }

    fn needs(&mut self, option: &Opt, errors: &mut Errors) {
        for need in option.list(
            "needs(elicitation)` or `needs(elicitation, sampling)",
            errors,
        ) {
            need.bare(errors);
            match need.name().as_str() {
                "elicitation" => self.spec.extend(quote!(.needs_elicitation())),
                "sampling" => self.spec.extend(quote!(.needs_sampling())),
                _ => need.unknown(NEEDS, errors),
            }
        }
    }

    fn task(&mut self, option: &Opt, errors: &mut Errors) {
        let policy = if option.is_bare() {
            Vec::new()
        } else {
            option.list("task` or `task(..)", errors)
        };
        let mut required = false;
        let mut manual = false;
        for option in &policy {
            match option.name().as_str() {
                "required" => {
                    option.bare(errors);
                    required = true;
                }
                "keep" | "after" => self.amount(option, option.duration(errors), None, errors),
                "poll_interval" => self.amount(
                    option,
                    option.duration(errors),
                    Some("clients would poll without a pause; write how long they should wait"),
                    errors,
                ),
                "begin" => match option.literal(errors) {
                    Some(lit) if lit.value() == "manual" => {
                        manual = true;
                        self.spec.extend(quote!(.begin_manual()));
                    }
                    Some(lit) => errors.at(
                        lit,
                        "`begin` is `\"manual\"`; leave it out to begin at once",
                    ),
                    None => {}
                },
                key if key != "task" && KEYS.contains(&key) => {
                    errors.at(
                        &option.key,
                        format_args!("`{key}` stands beside `task`, not inside its parentheses"),
                    );
                }
                _ => option.unknown(TASK_KEYS, errors),
            }
        }
        self.spec.extend(if required {
            quote!(.task_required())
        } else {
            quote!(.task())
        });
        if let Some(after) = policy.iter().find(|option| option.key == "after") {
            if required {
                errors.at(&after.key, "`after` answers quick runs without a task, `required` never does; keep one of them");
            }
            if manual {
                errors.at(&after.key, "with `begin = \"manual\"` the task begins where the function says; drop `after`");
            }
        }
    }
}

fn check_name(lit: &LitStr, errors: &mut Errors) -> bool {
    let fault = name_fault(&lit.value());
    if let Some(fault) = &fault {
        errors.at(lit, fault);
    }
    fault.is_none()
}

/// What is wrong with a tool's name. SEP-986: 1 to 128 characters of `A-Z a-z 0-9 _ - .`.
pub(crate) fn name_fault(name: &str) -> Option<String> {
    let strange = |c: &char| !c.is_ascii_alphanumeric() && !"_-.".contains(*c);
    if let Some(c) = name.chars().find(strange) {
        return Some(format!(
            "a tool's name cannot contain {c:?}; it has ASCII letters, digits, `_`, `-` and `.` only"
        ));
    }
    let length = name.len();
    (length == 0 || length > 128)
        .then(|| format!("a tool's name has 1 to 128 characters, this one {length}"))
}
