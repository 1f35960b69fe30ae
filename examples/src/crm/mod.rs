//! Twenty tools over four modules, for many users over HTTP, each of whom sees what is theirs.
//!
//! Shows
//!
//! - `tools![contacts::add, ..]`: tools listed by path, with names that say where they belong;
//! - a pool that all of them share by `State<Db>`;
//! - `Server::bearer_auth`: who calls is a [`Principal`], from the token alone and never from an argument. Records are kept
//!   by it, and so are tasks: somebody else's task answers as one that does not exist.
//!
//! Run it, `cargo run -p examples --bin crm`, and talk to it as Ann or as Bob:
//!
//! ```sh
//! curl http://127.0.0.1:8080/mcp -H 'Authorization: Bearer ann-token' \
//!     -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \
//!     -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/call' -H 'Mcp-Name: contacts_add' -d '{
//!         "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
//!             "name": "contacts_add", "arguments": { "name": "Cleo" }, "_meta": {
//!                 "io.modelcontextprotocol/protocolVersion": "2026-07-28",
//!                 "io.modelcontextprotocol/clientCapabilities": {} } } }'
//! ```

mod companies;
mod contacts;
mod db;
mod deals;
mod notes;

use mcp_tasks::prelude::*;
use mcp_tasks::{AuthError, Identity, ProtectedResource};

pub use self::db::Db;

/// Who vouches for the users.
const ISSUER: &str = "https://login.example.com";

/// A server whose users keep their records in `db`.
pub fn server(db: Db) -> Server {
    let resource = ProtectedResource::new("http://127.0.0.1:8080/mcp").authorization_server(ISSUER);
    Server::new("crm")
        .state(db)
        .bearer_auth(resource, verify)
        .tools(tools![
            contacts::add,
            contacts::get,
            contacts::search,
            contacts::update,
            contacts::remove,
            contacts::import,
            companies::add,
            companies::get,
            companies::search,
            companies::rename,
            companies::remove,
            deals::open,
            deals::get,
            deals::list,
            deals::advance,
            deals::close,
            deals::forecast,
            notes::add,
            notes::list,
            notes::remove,
        ])
}

/// Says whose token this is. A real one is signed: here belong its signature, its expiry, and its audience, which must be
/// this server.
async fn verify(token: String) -> Result<Identity, AuthError> {
    let subject = match token.as_str() {
        "ann-token" => "ann",
        "bob-token" => "bob",
        _ => return Err(AuthError::Invalid),
    };
    Ok(Identity::new(Principal::new(ISSUER, subject)))
}
