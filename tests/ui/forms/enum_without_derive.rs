use mcp_tasks::ElicitForm;

enum Meal {
    Veg,
    Fish,
}

#[derive(ElicitForm)]
struct Booking {
    meal: Meal,
    //~ `Meal` a field whose enum lacks the derive
}

fn ask<T: ElicitForm>() {}

fn main() {
    let _ = [Meal::Veg, Meal::Fish];
    ask::<Booking>();
}
