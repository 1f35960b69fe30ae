use mcp_tasks::prelude::*;

mod jobs {
    mod inner {
        use mcp_tasks::prelude::*;

        /// Greets.
        #[mcp_tool]
        pub async fn t1() {}
    }

    pub mod open {
        use mcp_tasks::prelude::*;

        /// Greets.
        #[mcp_tool]
        pub(super) async fn t2() {}
    }

    use mcp_tasks::{Tools, tools};

    pub fn tools() -> Tools {
        tools![inner::t1, open::t2]
    }
}

fn main() {
    let _ = jobs::tools();
    let _ = tools![jobs::inner::t1];
    //~ `inner` a tool in a private module
    let _ = tools![jobs::open::t2];
    //~ `t2` a tool that only its parent module may name
}
