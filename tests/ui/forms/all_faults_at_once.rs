use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
#[form(crate = mcp_tasks, title = "Booking")]
struct Booking {
    #[form(title)]
    seats: u8,
    #[form(title = 1, title = "Name")]
    name: String,
    #[form(rename = "")]
    note: String,
    #[form(min = 2, max = 1)]
    from: i32,
    #[form(min = -1, max = 10, default = 11)]
    until: i32,
    #[form(min_len == 2)]
    to: String,
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Booking>();
}
