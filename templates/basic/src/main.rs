//! Serves the tools over stdin and stdout, or over HTTP with `--http ADDRESS`.

use std::error::Error;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    // Standard output carries the protocol, so the log goes to standard error. `Level::DEBUG` shows every call.
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_max_level(tracing_subscriber::filter::LevelFilter::INFO)
        .init();
    let server = {{crate_name}}_tools::server();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [] => server.serve_stdio().await?,
        [flag, address] if flag == "--http" => {
            eprintln!("serving http://{address}/mcp");
            // Calls get a moment to finish, and cancelled ones to clean up.
            server.serve_http_until(address, told_to_stop()).await?;
        }
        _ => {
            eprintln!("usage: {{project-name}} [--http ADDRESS]");
            std::process::exit(2);
        }
    }
    Ok(())
}

/// Ctrl-C, or what a service manager or a container's runtime sends.
async fn told_to_stop() {
    let ctrl_c = async { drop(tokio::signal::ctrl_c().await) };
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                () = ctrl_c => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    ctrl_c.await;
}
