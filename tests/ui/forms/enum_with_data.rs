use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
enum Meal {
    Veg,
    Fish(String),
    //~ `(String)` a variant with data
    Other { name: String },
    //~ `{ name: String }`
}

#[derive(ElicitForm)]
enum Never {}
//~ `Never` an enum without variants

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Meal>();
    ask::<Never>();
}
