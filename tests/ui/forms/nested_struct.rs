use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Address {
    city: String,
}

#[derive(ElicitForm)]
struct Person {
    name: String,
    home: Address,
    work: Option<Address>,
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Person>();
}
