//! Tries the client with one server of another project, and tells what came of each feature, one JSON object a line.
//!
//! `interop-client NAME VERSION http URL` or `interop-client NAME VERSION stdio COMMAND..`; the first two are what to
//! call the server. Its tools are those of each server in this directory.

mod calls;
mod peer;
mod report;
mod tasks;

use peer::{Peer, Place};
use report::Report;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(name), Some(version), Some(transport)) = (words.next(), words.next(), words.next())
    else {
        return Err("usage: interop-client NAME VERSION http|stdio WHERE..".into());
    };
    let peer = Peer::connect(Place::new(&transport, words.collect())?).await?;
    let mut report = Report::begin(&name, &version, &transport, peer.wire().as_str());
    calls::check(&peer, &mut report).await;
    tasks::check(&peer, &mut report).await;
    peer.close().await;
    Ok(())
}
