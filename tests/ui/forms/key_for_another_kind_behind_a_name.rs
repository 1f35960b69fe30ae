// The spelling of these types tells nothing; the types themselves refuse the attribute.

use mcp_tasks::ElicitForm;

type Name = String;

#[derive(ElicitForm)]
enum Meal {
    Veg,
    Fish,
}

#[derive(ElicitForm)]
struct Booking {
    #[form(min = 1)]
    //~ `min` an option for another kind of field, behind an alias
    name: Name,
    #[form(min_items = 1)]
    //~ `min_items`
    meal: Meal,
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Booking>();
}
