use mcp_tasks::prelude::*;

macro_rules! bounded {
    ($name:ident, $ty:ty) => {
        /// Greets.
        #[mcp_tool]
        async fn $name(#[arg(min = 1)] name: $ty) -> String {
            //~ `min` a bound for another kind of argument, whose type a macro was given
            name
        }
    };
}

macro_rules! borrowing {
    ($name:ident, $ty:ty) => {
        /// Greets.
        #[mcp_tool]
        async fn $name(name: $ty) {
            let _ = &name;
        }
    };
}

macro_rules! lasting {
    ($name:ident, $keep:literal) => {
        /// Greets.
        #[mcp_tool(task(keep = $keep))]
        async fn $name() {}
    };
}

bounded!(t1, String);
borrowing!(t2, Option<&str>);
//~ `&str` a borrowed type that a macro was given
borrowing!(t3, dyn std::fmt::Display);
//~ `dyn std::fmt::Display` a `dyn Trait` that a macro was given
lasting!(t4, "an hour");
//~ `"an hour"` a duration that a macro was given

fn main() {
    let _ = tools![t1, t2, t3, t4];
}
