use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Person {
    name: String,
}

struct Underived {
    name: String,
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<String>();
    ask::<Vec<i32>>();
    ask::<(u8, u8)>();
    ask::<Option<Person>>();
    ask::<Underived>();
}
