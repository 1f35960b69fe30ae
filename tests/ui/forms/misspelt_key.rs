use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Booking {
    #[form(tittle = "Seats")]
    seats: u8,
    #[form(pattern = "[a-z]+")]
    name: String,
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Booking>();
}
