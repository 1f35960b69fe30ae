use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Seats(u8);

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Seats>();
}
