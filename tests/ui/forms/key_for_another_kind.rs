use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Booking {
    #[form(min = 1)]
    name: String,
    #[form(min_len = 1)]
    agreed: bool,
    #[form(format = "email")]
    seats: Option<u8>,
    #[form(max_items = 3)]
    score: f64,
}

#[derive(ElicitForm)]
enum Meal {
    #[form(title = "Vegetarian", description = "No meat", min = 1)]
    Veg,
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Booking>();
    ask::<Meal>();
}
