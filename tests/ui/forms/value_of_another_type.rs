use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
enum Meal {
    Veg,
    Fish,
}

#[derive(ElicitForm)]
struct Booking {
    #[form(default = "Veg")]
    meal: Meal,
    #[form(default = true)]
    seats: u8,
    #[form(max = 1.5)]
    bags: u8,
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Booking>();
}
