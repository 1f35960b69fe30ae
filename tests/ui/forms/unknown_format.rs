use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Person {
    #[form(format = "e-mail")]
    mail: String,
    #[form(format = "ipv4")]
    address: String,
    #[form(format = Email)]
    other: String,
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Person>();
}
