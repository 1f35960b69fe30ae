// Here the chapters are modules, which these first definitions say; those at the ends of the pages, for whoever reads them
// in the repository, come too late.
//! [parameters]: crate::guide::parameters
//! [results]: crate::guide::results
//! [tasks]: crate::guide::tasks
//! [asking]: crate::guide::asking
//! [cancellation]: crate::guide::cancellation
//! [state]: crate::guide::state
//! [owners]: crate::guide::owners
//! [testing]: crate::guide::testing
//! [http]: crate::guide::http
//! [what_reaches_whom]: crate::guide::what_reaches_whom
//! [limits]: crate::guide::limits
//! [versions]: crate::guide::versions
//! [from_rmcp]: crate::guide::from_rmcp
#![doc = include_str!("../docs/guide/overview.md")]

macro_rules! chapters {
    ($($name:ident)*) => {$(
        pub mod $name {
            //! [asking]: crate::guide::asking
            //! [cancellation]: crate::guide::cancellation
            //! [http]: crate::guide::http
            //! [limits]: crate::guide::limits
            //! [owners]: crate::guide::owners
            //! [testing]: crate::guide::testing
            //! [clients]: crate::clients
            //! [policies]: crate::guide::tasks#policies
            //! [while-it-runs]: crate::guide::what_reaches_whom#while-it-runs
            //! [how-a-call-ends]: crate::guide::what_reaches_whom#how-a-call-ends
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
