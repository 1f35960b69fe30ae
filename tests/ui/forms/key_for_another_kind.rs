use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Booking {
    #[form(min = 1)]
    //~ `min` an option for another kind of field
    name: String,
    #[form(min_len = 1)]
    //~ `min_len`
    agreed: bool,
    #[form(format = "email")]
    //~ `format`
    seats: Option<u8>,
    #[form(max_items = 3)]
    //~ `max_items`
    score: f64,
}

#[derive(ElicitForm)]
enum Meal {
    #[form(title = "Vegetarian", description = "No meat", min = 1)]
    //~ `description` an option that a variant has not
    //~ `min`
    Veg,
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Booking>();
    ask::<Meal>();
}
