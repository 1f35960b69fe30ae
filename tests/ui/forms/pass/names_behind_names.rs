// Types are recognised by what they are, not by how they are spelt.

use mcp_tasks::ElicitForm;

type Name = String;
type Maybe<T> = Option<T>;

const LEAST: i64 = 1;

mod meals {
    #[derive(mcp_tasks::ElicitForm, Clone)]
    pub enum Meal {
        Veg,
        Fish,
    }

    impl Default for Meal {
        fn default() -> Self {
            Self::Fish
        }
    }
}

#[derive(ElicitForm)]
struct Booking {
    #[form(max_len = 20)]
    name: Name,
    #[form(min = LEAST)]
    seats: Maybe<u8>,
    #[form(default)]
    meal: meals::Meal,
    meals: Maybe<Vec<meals::Meal>>,
}

fn main() {
    let form = Booking::form();
    assert_eq!(form.validate(), Ok(()));
    let booking = Booking::from_content([("name".to_owned(), "N".into())].into_iter().collect());
    let booking = booking.expect("the rest has defaults");
    assert_eq!(booking.name, "N");
    assert_eq!((booking.seats, booking.meals.is_none()), (None, true));
    assert!(matches!(booking.meal, meals::Meal::Fish));
    let _ = meals::Meal::Veg;
}
