use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
union Either {
//~ `union` a union
    a: u8,
    b: bool,
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Either>();
}
