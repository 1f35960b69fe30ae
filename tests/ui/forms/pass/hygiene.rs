// The expansion names everything by its absolute path and takes nothing from its surroundings.
#![no_implicit_prelude]
#![deny(warnings)]
#![allow(dead_code)]

struct Option;
struct Some;
struct None;
struct String;
struct Vec;
struct Default;
mod core {}
mod std {}
mod mcp_tasks {}

#[derive(::mcp_tasks::ElicitForm)]
struct Named {
    #[form(min_len = 1, default = "x", format = "uri")]
    pass: ::std::string::String,
    #[form(default)]
    f: u8,
    field_0: ::std::option::Option<Choice>,
    content: ::std::vec::Vec<Choice>,
    #[form(default = -1)]
    r#fn: f32,
}

#[derive(::mcp_tasks::ElicitForm)]
struct Empty;

#[derive(::mcp_tasks::ElicitForm)]
enum Choice {
    Some,
    None,
}

fn ask<T: ::mcp_tasks::ElicitForm>() {}

fn main() {
    ask::<Named>();
    ask::<Empty>();
    ask::<Choice>();
}
