//! One tool, or fifty, over standard input and output or over HTTP.

use std::error::Error;

use mcp_tasks::Tools;
use mcp_tasks::prelude::*;

macro_rules! define_tools {
    ($one:ident $($more:ident)*) => {
        define_tool!($one);
        $(define_tool!($more);)*

        fn one() -> Tools {
            tools![$one]
        }

        fn all() -> Tools {
            tools![$one, $($more),*]
        }
    };
}

macro_rules! define_tool {
    ($name:ident) => {
        /// Search the catalogue.
        #[mcp_tool]
        async fn $name(
            /// What to look for
            query: String,
            /// How many to give
            limit: u32,
            /// Only those with all of these
            tags: Option<Vec<String>>,
        ) -> String {
            let tags = tags.unwrap_or_default().join(", ");
            format!("{limit} of {query} ({tags})")
        }
    };
}

define_tools! {
    search
    t01 t02 t03 t04 t05 t06 t07 t08 t09 t10 t11 t12 t13 t14 t15 t16 t17 t18 t19 t20 t21 t22 t23 t24 t25
    t26 t27 t28 t29 t30 t31 t32 t33 t34 t35 t36 t37 t38 t39 t40 t41 t42 t43 t44 t45 t46 t47 t48 t49
}

/// `stdio 50` or `http ADDRESS`.
#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let server = Server::new("bench");
    match arguments[..] {
        ["stdio", "1"] => server.tools(one()).serve_stdio().await?,
        ["stdio", _] => server.tools(all()).serve_stdio().await?,
        ["http", address] => server.tools(one()).serve_http(address).await?,
        _ => return Err("no such server".into()),
    }
    Ok(())
}
