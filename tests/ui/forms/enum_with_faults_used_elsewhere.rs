// A faulty enum is one error, and not another one wherever it is used.

use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
enum Meal {
    #[form(titel = "Vegetarian")]
    //~ `titel` a misspelt option of an enum that others use
    Veg,
    Fish,
}

#[derive(ElicitForm)]
struct Booking {
    meal: Meal,
    others: Vec<Meal>,
}

fn ask<T: ElicitForm>() {}

fn main() {
    let _ = [Meal::Veg, Meal::Fish];
    ask::<Booking>();
}
