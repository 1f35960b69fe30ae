use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Odd {
    pair: (u8, u8),
    letter: char,
    array: [bool; 2],
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Odd>();
}
