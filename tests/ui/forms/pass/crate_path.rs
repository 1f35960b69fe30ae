// A crate that re-exports ours names it with `crate = ..`.

mod facade {
    pub use mcp_tasks as tools;
}

#[derive(facade::tools::ElicitForm)]
#[form(crate = crate::facade::tools)]
struct Booking {
    #[form(default = [Meal::Veg])]
    meals: Vec<Meal>,
}

#[derive(facade::tools::ElicitForm)]
#[form(crate = crate::facade::tools)]
enum Meal {
    Veg,
    Fish,
}

fn ask<T: facade::tools::ElicitForm>() {}

fn main() {
    ask::<Booking>();
    let _ = Meal::Fish;
}
