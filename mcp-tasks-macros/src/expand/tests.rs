//! Expansions as golden files, in `tests/expand`. After a change of the macros write them anew with
//! `EXPAND=overwrite cargo test -p mcp-tasks-macros` and read the difference.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::parse::{Parse as _, ParseStream, Parser as _};

use super::mcp_tool;
use crate::form;
use crate::tools::tools;

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/expand")
        .join(name)
}

/// Expands the one macro call in a file, as the compiler would.
fn expand(input: &str) -> TokenStream {
    let tokens: TokenStream = input.parse().expect("tokens");
    if let Ok(call) = syn::parse2::<syn::ExprMacro>(tokens.clone()) {
        let list = tools(call.mac.tokens);
        return quote!(fn list() #list);
    }
    let item = |input: ParseStream<'_>| {
        let attrs = input.call(syn::Attribute::parse_outer)?;
        let rest = TokenStream::parse(input)?;
        Ok((attrs, rest))
    };
    let (mut attrs, rest) = item.parse2(tokens.clone()).expect("an item");
    if attrs.iter().any(|attr| attr.path().is_ident("derive")) {
        return form::derive(tokens);
    }
    let at = attrs
        .iter()
        .position(|attr| attr.path().is_ident("mcp_tool"))
        .expect("#[mcp_tool]");
    let arguments = match attrs.remove(at).meta {
        syn::Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    };
    mcp_tool(arguments, quote!(#(#attrs)* #rest))
}

/// The expansion of `name.in.rs` as rustfmt would print it, compared with `name.out.rs`.
fn check(name: &str) -> String {
    let input = fs::read_to_string(golden(&format!("{name}.in.rs"))).expect("the input");
    let file = syn::parse2(expand(&input)).expect("an expansion that parses");
    let printed = prettyplease::unparse(&file);
    let path = golden(&format!("{name}.out.rs"));
    if std::env::var_os("EXPAND").is_some_and(|value| value == "overwrite") {
        fs::write(&path, &printed).expect("the golden file is writable");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        expected == printed,
        "{} is not the expansion any more, which is:\n{printed}",
        path.display()
    );
    printed
}

#[test]
fn arguments_injected_values_and_defaults() {
    check("parameters");
}

#[test]
fn a_tool_without_parameters_keeps_its_cfg_on_everything() {
    check("no_parameters");
}

#[test]
fn a_task_policy_is_data() {
    check("task");
}

#[test]
fn a_blocking_body_moves_to_its_own_thread() {
    check("blocking");
}

#[test]
fn all_arguments_at_once_and_a_name_for_clients() {
    check("whole_object");
}

#[test]
fn a_form_is_one_call_for_each_field() {
    check("form");
}

#[test]
fn a_choice_is_a_list_of_words() {
    check("choice");
}

#[test]
fn a_list_is_checked_for_names_that_stand_twice() {
    check("list");
}

/// Not parsed, because its body is half typed.
#[test]
fn a_faulty_tool_keeps_its_function_and_gets_a_stub() {
    let input = fs::read_to_string(golden("faulty.in.rs")).expect("the input");
    let expansion = expand(&input).to_string();
    let function = quote!(fn greet(name: &str) -> String).to_string();
    assert!(expansion.contains(&function), "{expansion}");
    assert!(expansion.contains("struct greet { }"), "{expansion}");
    assert_eq!(expansion.matches("compile_error").count(), 4, "{expansion}");
}

/// What one tool costs every user's build. Comments and line breaks cost nothing, so tokens count.
#[test]
fn a_tool_of_five_parameters_expands_to_few_tokens() {
    let input = fs::read_to_string(golden("parameters.in.rs")).expect("the input");
    let added = count(expand(&input)) - count(input.parse().expect("tokens"));
    assert!(added <= 700, "{added} tokens");
}

fn count(tokens: TokenStream) -> usize {
    let inner = |token| match token {
        TokenTree::Group(group) => 1 + count(group.stream()),
        _ => 1,
    };
    tokens.into_iter().map(inner).sum()
}

/// Every name in an expansion is absolute, a method, the user's own or declared there.
#[test]
fn expansions_name_nothing_from_the_users_scope() {
    let own = [
        "User1", "User2", "User3", "user_fn", "x", "y", "Pattern", "text", "LIMIT",
    ];
    let declared = [
        "list",
        "all",
        "SPEC",
        "TOOLS",
        "describe",
        "start",
        "d",
        "call",
        "faults",
        "a0",
        "a1",
        "a2",
        "__mcp",
        "fields",
        "pass",
        "field_0",
        "field_1",
        "default",
        "f",
        "ITEMS",
        "TITLE",
        "DESCRIPTION",
        "at",
        "index",
        "Kind",
        "blank",
        "name",
        "into_default",
        "field",
        "take",
        "value",
    ];
    let keywords = [
        "as", "async", "const", "else", "fn", "for", "impl", "let", "match", "move", "mut", "pub",
        "return", "self", "static", "struct", "type", "use", "Self", "_", "usize", "bool", "str",
    ];
    let known: HashSet<&str> = own
        .iter()
        .chain(&declared)
        .chain(&keywords)
        .copied()
        .collect();
    let sources = [
        r#"/** Text */ #[mcp_tool(task(keep = LIMIT), timeout = "1s", title = "a")] pub async fn user_fn(
            #[arg(default = "a", min = 1, max = 2.5)] text: User1, #[arg(default)] x: User2, Pattern(y): User3
        ) -> User1 { }"#,
        r"/** Text */ #[mcp_tool(blocking)] fn user_fn(#[arg(inject, default)] x: User2, y: &User1) { }",
        r"/** Text */ #[mcp_tool(blocking)] fn user_fn(#[arg(inject)] x: User2) { }",
        r"tools![user_fn, #[cfg(all())] x, #[cfg(all())] y, text]",
        r#"#[derive(ElicitForm)] struct User1 {
            /// Text
            #[form(default = "a", min_len = 1)] x: User2, #[form(default, max = 2)] y: User3
        }"#,
        r#"/** Text */ #[derive(ElicitForm)] enum User1 { #[form(title = "a")] User2, User3 }"#,
    ];
    for source in sources {
        unknown(expand(source), &known, &mut Vec::new());
    }
}

/// Fails at an identifier that is not in `known`, unless it follows `::`, `.` or a lifetime's quote.
fn unknown(tokens: TokenStream, known: &HashSet<&str>, before: &mut Vec<String>) {
    let mut attribute = false;
    for token in tokens {
        match &token {
            TokenTree::Group(_) if attribute => {}
            TokenTree::Group(group) => unknown(group.stream(), known, &mut vec!["(".to_owned()]),
            TokenTree::Ident(ident) => {
                let name = ident.to_string();
                let qualified = before
                    .last()
                    .is_some_and(|last| [":", ".", "'"].contains(&last.as_str()));
                assert!(
                    qualified || known.contains(name.as_str()),
                    "`{name}` after {before:?}"
                );
            }
            _ => {}
        }
        attribute = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
        before.push(token.to_string());
    }
}
