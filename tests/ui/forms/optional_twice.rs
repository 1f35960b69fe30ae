use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Person {
    #[form(default = 18)]
    //~ `default` a default for what may be missing
    age: Option<u8>,
    name: Option<Option<String>>,
    //~ `Option<Option<String>>` an `Option` in an `Option`
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Person>();
}
