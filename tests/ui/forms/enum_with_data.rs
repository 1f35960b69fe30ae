use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
enum Meal {
    Veg,
    Fish(String),
    Other { name: String },
}

#[derive(ElicitForm)]
enum Never {}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Meal>();
    ask::<Never>();
}
