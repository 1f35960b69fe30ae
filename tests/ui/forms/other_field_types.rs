use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Odd {
    pair: (u8, u8),
    //~ `(u8, u8)` a field of another type
    letter: char,
    //~ `char`
    array: [bool; 2],
    //~ `[bool; 2]`
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Odd>();
}
