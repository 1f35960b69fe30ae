use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Booking<const N: usize> {
    //~ `const N: usize` a constant parameter
    seats: u8,
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Booking<1>>();
}
