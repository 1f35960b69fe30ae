use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Address {
    city: String,
}

#[derive(ElicitForm)]
struct Person {
    name: String,
    home: Address,
    //~ `Address` a struct in a form
    work: Option<Address>,
    //~ `Option`
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Person>();
}
