use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Wrapper<T> {
//~ `T` a generic form
    inner: T,
}

#[derive(ElicitForm)]
struct Borrowed<'a> {
    name: &'a str,
    //~ `&'a str` a form that borrows
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Wrapper<u8>>();
    ask::<Borrowed<'static>>();
}
