#![doc = include_str!("../docs/guide/overview.md")]

macro_rules! chapters {
    ($($name:ident)*) => {$(
        pub mod $name {
            #![doc = include_str!(concat!("../docs/guide/", stringify!($name), ".md"))]
            // What the chapter links to by its name alone.
            use crate::*;
        }
    )*};
}

use crate::*;

chapters! {
    parameters
    results
    tasks
    asking
    cancellation
    state
    owners
    testing
    http
    what_reaches_whom
    limits
    versions
    from_rmcp
}
