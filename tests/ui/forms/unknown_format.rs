use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
struct Person {
    #[form(format = "e-mail")]
    //~ `"e-mail"` a misspelt format
    mail: String,
    #[form(format = "ipv4")]
    //~ `"ipv4"` a format that there is not
    address: String,
    #[form(format = Email)]
    //~ `Email` a format that is no string
    other: String,
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Person>();
}
