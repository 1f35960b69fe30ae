use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Seats(u8);
//~ `(u8)` fields without names

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Seats>();
}
