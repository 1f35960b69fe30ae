use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Booking {
    seats: u8,
    #[form(rename = "seats")]
    //~ `"seats"` two fields with one name
    places: u8,
}

#[derive(ElicitForm)]
enum Meal {
    #[form(rename = "Fish")]
    Veg,
    Fish,
    //~ `Fish` two variants with one name
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Booking>();
    ask::<Meal>();
}
