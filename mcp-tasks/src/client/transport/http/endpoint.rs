//! An address, and what goes with every request to it.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, Uri};
use http_body::Body;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full};
use tower_service::Service;

use super::Http;
use crate::client::endpoint::Endpoint;
use crate::client::error::ClientError;
use crate::client::router::Failure;
use crate::model::BoxFuture;

pub(super) type BoxError = Box<dyn StdError + Send + Sync>;
pub(super) type Incoming = UnsyncBoxBody<Bytes, BoxError>;
pub(super) type Exchanged = Result<Response<Incoming>, Failure>;
/// Sends a request, and waits for the head of its response.
pub(super) type Exchange =
    Arc<dyn Fn(Request<Full<Bytes>>) -> BoxFuture<'static, Exchanged> + Send + Sync>;

/// A server at a URL. For one that needs nothing beside its URL, the URL itself is an [`Endpoint`].
///
/// ```
/// use mcp_tasks::client::{Endpoint, HttpEndpoint};
///
/// let tickets = HttpEndpoint::new("http://127.0.0.1:8000/mcp").bearer("s3cret");
/// let tickets: Endpoint = tickets.into();
/// ```
#[must_use = "an endpoint does nothing until a client connects to it"]
pub struct HttpEndpoint {
    url: String,
    headers: Vec<(String, String)>,
    exchange: Option<Exchange>,
}

impl HttpEndpoint {
    /// A server at this URL. `https` needs feature `client-tls`, and a certificate that the system trusts, or one of
    /// those in the PEM file that the environment variable `SSL_CERT_FILE` names.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            headers: Vec::new(),
            exchange: None,
        }
    }

    /// Sends this bearer token with each request.
    pub fn bearer(self, token: impl fmt::Display) -> Self {
        self.header("authorization", format!("Bearer {token}"))
    }

    /// Sends this header with each request.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sends requests through `service` instead of the network: a stack of layers round a client of your own, or a
    /// server of this process, such as that of `Server::into_service`.
    pub fn service<S, B>(mut self, service: S) -> Self
    where
        S: Service<Request<Full<Bytes>>, Response = Response<B>> + Clone + Send + Sync + 'static,
        S::Future: Send,
        S::Error: Into<BoxError>,
        B: Body<Data = Bytes> + Send + 'static,
        B::Error: Into<BoxError>,
    {
        self.exchange = Some(Arc::new(move |request| {
            let mut service = service.clone();
            Box::pin(async move {
                let lost = |error: S::Error| {
                    tracing::debug!("an HTTP request failed: {}", error.into());
                    Failure::Lost
                };
                std::future::poll_fn(|cx| service.poll_ready(cx))
                    .await
                    .map_err(lost)?;
                let response = service.call(request).await.map_err(lost)?;
                Ok(response.map(|body| body.map_err(Into::into).boxed_unsync()))
            })
        }));
        self
    }

    /// Everything checked that can be before the first request.
    fn open(self) -> Result<(Uri, HeaderMap, Exchange), ClientError> {
        let url: Uri = self
            .url
            .parse()
            .map_err(|error| ClientError::Invalid(format!("`{}` is no URL: {error}", self.url)))?;
        let mut headers = HeaderMap::new();
        for (name, value) in &self.headers {
            let invalid =
                || ClientError::Invalid(format!("the header `{name}` cannot be sent as it is"));
            let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| invalid())?;
            let mut value = HeaderValue::from_str(value).map_err(|_| invalid())?;
            value.set_sensitive(true);
            headers.insert(header, value);
        }
        let exchange = match self.exchange {
            Some(exchange) => exchange,
            None => network(&url)?,
        };
        Ok((url, headers, exchange))
    }
}

impl From<HttpEndpoint> for Endpoint {
    fn from(endpoint: HttpEndpoint) -> Self {
        Self::new(endpoint.url.clone(), async move |router| {
            let (url, headers, exchange) = endpoint.open()?;
            Ok(Arc::new(Http::new(url, headers, exchange, router)) as _)
        })
    }
}

impl From<&str> for Endpoint {
    fn from(url: &str) -> Self {
        HttpEndpoint::new(url).into()
    }
}

impl From<String> for Endpoint {
    fn from(url: String) -> Self {
        HttpEndpoint::new(url).into()
    }
}

impl fmt::Debug for HttpEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpEndpoint")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

/// Requests over the network, by connections that are kept and shared.
fn network(url: &Uri) -> Result<Exchange, ClientError> {
    use hyper_util::client::legacy::Client;
    use hyper_util::rt::TokioExecutor;

    let client = Client::builder(TokioExecutor::new()).build::<_, Full<Bytes>>(connector(url)?);
    Ok(Arc::new(move |request| {
        let response = client.request(request);
        Box::pin(async move {
            match response.await {
                Ok(response) => Ok(response.map(|body| body.map_err(Into::into).boxed_unsync())),
                Err(error) if error.is_connect() => {
                    Err(Failure::Connect(Arc::new(io::Error::other(causes(&error)))))
                }
                Err(error) => {
                    tracing::debug!("an HTTP request failed: {}", causes(&error));
                    Err(Failure::Lost)
                }
            }
        })
    }))
}

#[cfg(feature = "client-tls")]
fn connector(
    url: &Uri,
) -> Result<
    hyper_rustls::HttpsConnector<hyper_util::client::legacy::connect::HttpConnector>,
    ClientError,
> {
    known_scheme(url, &["http", "https"])?;
    let provider = rustls::crypto::ring::default_provider();
    let builder = hyper_rustls::HttpsConnectorBuilder::new()
        .with_provider_and_native_roots(provider)
        .map_err(|error| ClientError::Connect {
            to: url.to_string(),
            source: Arc::new(error),
        })?;
    Ok(builder.https_or_http().enable_http1().build())
}

#[cfg(not(feature = "client-tls"))]
fn connector(url: &Uri) -> Result<hyper_util::client::legacy::connect::HttpConnector, ClientError> {
    if url.scheme_str() == Some("https") {
        return Err(ClientError::Unsupported(
            "this build has no HTTPS: switch on feature `client-tls` of mcp-tasks".to_owned(),
        ));
    }
    known_scheme(url, &["http"])?;
    Ok(hyper_util::client::legacy::connect::HttpConnector::new())
}

fn known_scheme(url: &Uri, known: &[&str]) -> Result<(), ClientError> {
    match url.scheme_str() {
        Some(scheme) if known.contains(&scheme) => Ok(()),
        _ => Err(ClientError::Invalid(format!(
            "`{url}` is no address of a server: it must begin with {}://",
            known.join(":// or ")
        ))),
    }
}

/// An error and what caused it, as one sentence.
pub(super) fn causes(error: &(dyn StdError + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}
