use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Booking {
    #[form(tittle = "Seats")]
    //~ `tittle` a misspelt option
    seats: u8,
    #[form(pattern = "[a-z]+")]
    //~ `pattern` an option that there is not
    name: String,
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Booking>();
}
