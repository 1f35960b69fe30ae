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
    //~ `String` a question for what is no form
    ask::<Vec<i32>>();
    //~ `Vec<i32>`
    ask::<(u8, u8)>();
    //~ `(u8, u8)`
    ask::<Option<Person>>();
    //~ `Option<Person>`
    ask::<Underived>();
    //~ `Underived`
}
