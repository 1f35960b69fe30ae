/// What to eat
#[derive(ElicitForm)]
enum Meal {
    #[form(title = "Vegetarian")]
    Veg,
    Fish,
}
