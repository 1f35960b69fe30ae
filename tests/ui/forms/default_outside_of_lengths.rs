use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Booking {
    #[form(default = "economy", max_len = 5)]
    //~ `"economy"` a default that is too long
    class: String,
    #[form(default = [], min_items = 1)]
    //~ `[]` a default with too few items
    meals: Vec<Meal>,
}

#[derive(ElicitForm)]
enum Meal {
    Fish,
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Booking>();
}
