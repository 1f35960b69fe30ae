use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Wrapper<T> {
    inner: T,
}

#[derive(ElicitForm)]
struct Borrowed<'a> {
    name: &'a str,
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Wrapper<u8>>();
    ask::<Borrowed<'static>>();
}
