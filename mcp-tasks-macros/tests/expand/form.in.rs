/// A table.
#[derive(ElicitForm)]
struct Booking {
    /// On whose name
    #[form(default = "nobody", max_len = 40)]
    name: String,
    #[form(min = 1)]
    seats: Option<u8>,
}
