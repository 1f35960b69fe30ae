use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Lottery {
    numbers: Vec<i32>,
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Lottery>();
}
