use mcp_tasks::ElicitForm;

#[derive(ElicitForm)]
#[form(crate = mcp_tasks, title = "Booking")]
//~ `mcp_tasks` a path of the crate that depends on where it stands
//~ `title` an option that a struct has not
struct Booking {
    #[form(title)]
    //~ `title` an option without its value
    seats: u8,
    #[form(title = 1, title = "Name")]
    //~ `1` a title that is no string
    //~ `title` an option given twice
    name: String,
    #[form(rename = "")]
    //~ `""` an empty name
    note: String,
    #[form(min = 2, max = 1)]
    //~ `1` bounds with no value between them
    from: i32,
    #[form(min = -1, max = 10, default = 11)]
    //~ `11` a default outside of its bounds
    until: i32,
    #[form(min_len == 2)]
    //~ `=` no expression after `=`
    to: String,
}

fn ask<T: ElicitForm>() {}

fn main() {
    ask::<Booking>();
}
