//! The client over HTTPS, and whom it trusts.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use axum::serve::Listener;
use mcp_tasks::prelude::*;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::server::TlsStream;

#[tokio::test]
async fn a_server_whose_certificate_the_system_trusts_is_used() {
    let authority = Authority::new("trusted");
    let port = serve(authority.certify("localhost")).await;
    let (told, error) = said(port, &authority.file).await;
    assert_eq!((&*told, &*error), ("Hello, Ada!\n", ""));
}

#[tokio::test]
async fn a_server_whose_certificate_nobody_vouches_for_is_refused() {
    let port = serve(Authority::new("unknown").certify("localhost")).await;
    let (told, error) = said(port, &Authority::new("other").file).await;
    let wanted = format!(
        "cannot reach https://localhost:{port}/mcp: client error (Connect): invalid peer certificate: UnknownIssuer\n"
    );
    assert_eq!((&*told, error), ("", wanted));
}

#[tokio::test]
async fn a_server_with_the_certificate_of_another_name_is_refused() {
    let authority = Authority::new("elsewhere");
    let port = serve(authority.certify("elsewhere.test")).await;
    let (told, error) = said(port, &authority.file).await;
    assert_eq!(told, "");
    let reason = "certificate not valid for name \"localhost\"";
    assert!(error.contains(reason), "{error}");
}

#[tokio::test]
async fn a_system_that_trusts_nobody_is_named_as_the_reason() {
    let authority = Authority::new("nobody");
    let port = serve(authority.certify("localhost")).await;
    fs::write(&authority.file, "").expect("a file");
    let (told, error) = said(port, &authority.file).await;
    assert_eq!(told, "");
    let reason = "no native root CA certificates found";
    assert!(error.contains(reason), "{error}");
}

/// What the client says and complains of, where the certificates in `trusted` are all that it trusts.
async fn said(port: u16, trusted: &Path) -> (String, String) {
    let mut client = Command::new(env!("CARGO_BIN_EXE_https_client"));
    client
        .arg(format!("https://localhost:{port}/mcp"))
        .env("SSL_CERT_FILE", trusted)
        .env_remove("SSL_CERT_DIR");
    let run = tokio::task::spawn_blocking(move || client.output());
    let Output { stdout, stderr, .. } = run.await.expect("a run").expect("a client");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (text(stdout), text(stderr))
}

/// Whoever vouches for servers.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    /// Its certificate.
    file: PathBuf,
}

impl Authority {
    fn new(name: &str) -> Self {
        let mut params = CertificateParams::new([]).expect("no names");
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let certificate = params.self_signed(&key).expect("a certificate");
        let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("https-{name}.pem"));
        fs::write(&file, certificate.pem()).expect("a file");
        Self {
            issuer: Issuer::new(params, key),
            file,
        }
    }

    /// What a server of this name shows its clients.
    fn certify(&self, name: &str) -> ServerConfig {
        let key = KeyPair::generate().expect("a key");
        let params = CertificateParams::new([name.to_owned()]).expect("a name");
        let certificate = params.signed_by(&key, &self.issuer).expect("a certificate");
        let chain = vec![CertificateDer::from(certificate)];
        let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
        ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|config| config.with_no_client_auth().with_single_cert(chain, key))
            .expect("a certificate with its key")
    }
}

/// Greets
#[mcp_tool]
async fn greet(name: String) -> String {
    format!("Hello, {name}!")
}

/// A server over HTTPS, and its port.
async fn serve(config: ServerConfig) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let server = Server::new("secure").tools(tools![greet]);
    let router = server.into_router().expect("a server that can start");
    let secure = Secure {
        listener,
        acceptor: TlsAcceptor::from(Arc::new(config)),
    };
    tokio::spawn(async move { axum::serve(secure, router).await });
    port
}

struct Secure {
    listener: TcpListener,
    acceptor: TlsAcceptor,
}

impl Listener for Secure {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            let (stream, from) = self.listener.accept().await.expect("a connection");
            // A client that does not like the certificate ends the handshake.
            if let Ok(stream) = self.acceptor.accept(stream).await {
                return (stream, from);
            }
        }
    }

    fn local_addr(&self) -> std::io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}
