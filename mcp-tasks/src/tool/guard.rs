//! The author's code, run so that none of its panics gets out.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The author's code panicked. The panic hook has told what with.
#[derive(Debug)]
pub(crate) struct Panicked;

/// Runs code of the author's. Whatever it has left half done must not be looked at after a panic.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        discard(payload);
        Panicked
    })
}

/// Drops a value of the author's, whose destructor may panic too.
pub(crate) fn discard<T>(value: T) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(value))) {
        // Dropping this one could panic again, and so on without end.
        std::mem::forget(payload);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Bomb;

    impl Drop for Bomb {
        fn drop(&mut self) {
            std::panic::panic_any(Bomb)
        }
    }

    #[test]
    fn a_panic_stays_inside_whatever_it_panics_with() {
        assert!(guarded(|| -> u8 { panic!("text") }).is_err());
        assert!(guarded(|| -> u8 { std::panic::panic_any(Bomb) }).is_err());
        discard(Bomb);
        assert_eq!(guarded(|| 7).unwrap(), 7);
    }
}
