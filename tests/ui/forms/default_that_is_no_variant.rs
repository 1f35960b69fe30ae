use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Booking {
    #[form(default = Fish)]
    //~ `Fish` a variant without its enum
    first: Meal,
    #[form(default = Meal::Meat)]
    //~ `Meat` a variant that there is not
    second: Meal,
    #[form(default)]
    //~ `default` `default` for a type without `Default`
    third: Meal,
}

#[derive(ElicitForm)]
enum Meal {
    Fish,
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Booking>();
}
