use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Person {
    #[form(default = 18)]
    age: Option<u8>,
    name: Option<Option<String>>,
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Person>();
}
