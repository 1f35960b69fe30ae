use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Booking {
    #[arg(min = 1)]
    //~ `#[arg(min = 1)]` `#[arg]` on a field
    seats: u8,
    #[arg]
    //~ `#[arg]`
    meal: Meal,
}

#[derive(ElicitForm)]
enum Meal {
    #[arg(rename = "fish")]
    //~ `#[arg(rename = "fish")]` `#[arg]` on a variant
    Fish,
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Booking>();
}
