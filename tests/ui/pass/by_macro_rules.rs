use mcp_tasks::prelude::*;

macro_rules! getter {
    ($(#[$meta:meta])* $vis:vis $name:ident, $title:literal, $wait:literal, $ty:ty, $default:expr, $out:ty) => {
        $(#[$meta])*
        #[mcp_tool(title = $title, timeout = $wait)]
        $vis async fn $name(#[arg(default = $default)] value: $ty) -> $out {
            value
        }
    };
}

getter! {
    /// Gives a text back.
    pub text, "Text", "1s", String, "none", String
}
getter!(#[doc = "Gives a number back."] number, "Number", "1m", u64, 1 + 1, u64);

mod exporting {
    pub use mcp_tasks as reexported;

    #[macro_export]
    macro_rules! from_this_crate {
        ($name:ident) => {
            #[doc = concat!("Made by a macro: ", stringify!($name))]
            #[mcp_tool(crate = $crate::exporting::reexported)]
            async fn $name() {}
        };
    }
}

from_this_crate!(made);

fn main() {
    let _ = tools![crate = crate::exporting::reexported; made];
    let _ = tools![text, number];
}
