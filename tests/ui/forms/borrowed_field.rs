use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Person {
    name: &'static str,
    //~ `&'static str` a field that borrows
    nick: Option<&'static str>,
    //~ `&'static str`
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Person>();
}
