//! Serves `examples::crm` over HTTP, until Ctrl-C.

use examples::crm::{self, Db};

#[tokio::main]
async fn main() -> Result<(), mcp_tasks::Error> {
    println!("http://127.0.0.1:8080/mcp, with the tokens ann-token and bob-token");
    crm::server(Db::default())
        .serve_http_until("127.0.0.1:8080", async {
            // Without a way to hear of Ctrl-C, the server runs on.
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
        })
        .await
}
