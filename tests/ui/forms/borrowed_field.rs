use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Person {
    name: &'static str,
    nick: Option<&'static str>,
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Person>();
}
