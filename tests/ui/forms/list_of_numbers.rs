use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Lottery {
    numbers: Vec<i32>,
    //~ `Vec` a list of something else than choices
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Lottery>();
}
