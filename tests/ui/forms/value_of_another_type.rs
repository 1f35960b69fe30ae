use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
enum Meal {
    Veg,
    Fish,
}

#[derive(ElicitForm)]
struct Booking {
    #[form(default = "Veg")]
    //~ `"Veg"` a text as default of another type
    meal: Meal,
    #[form(default = true)]
    //~ `true` a default of another type
    seats: u8,
    #[form(max = 1.5)]
    //~ `1.5` a bound of another type
    bags: u8,
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Booking>();
}
