use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Booking {
    seats: u8,
    #[form(rename = "seats")]
    places: u8,
}

#[derive(ElicitForm)]
enum Meal {
    #[form(rename = "Fish")]
    Veg,
    Fish,
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Booking>();
    ask::<Meal>();
}
