//! Numbers that `Context::progress` takes.

/// Any primitive number.
///
/// [`Context::progress`](crate::Context::progress) takes it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number",
    label = "progress counts in numbers"
)]
pub trait Count {
    #[doc(hidden)]
    fn count(self) -> f64;
}

/// A number, or `None` where the total is unknown.
///
/// [`Context::progress`](crate::Context::progress) takes it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a total",
    label = "give a number, `None`, or an `Option<u64>`"
)]
pub trait Total {
    #[doc(hidden)]
    fn total(self) -> Option<f64>;
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Count for $number {
            #[allow(clippy::cast_precision_loss, clippy::cast_lossless, reason = "JSON numbers are f64")]
            fn count(self) -> f64 {
                self as f64
            }
        }
        impl Total for $number {
            fn total(self) -> Option<f64> {
                Some(self.count())
            }
        }
    )*};
}

numbers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64);

// The only impl for an `Option`, so that a bare `None` needs no type.
impl Total for Option<u64> {
    fn total(self) -> Option<f64> {
        self.map(Count::count)
    }
}
