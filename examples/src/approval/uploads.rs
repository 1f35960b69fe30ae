//! The page, and the calls that wait for what is uploaded to it.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Html;
use axum::routing::get;
use mcp_tasks::ToolError;
use tokio::sync::oneshot;

/// Uploads that calls wait for. Clones are the same uploads.
#[derive(Clone, Debug)]
pub struct Uploads {
    base: Arc<str>,
    waiting: Arc<Mutex<HashMap<String, oneshot::Sender<Vec<u8>>>>>,
}

impl Uploads {
    /// Uploads to a page that users reach at `base`, such as `http://127.0.0.1:8000`.
    pub fn new(base: impl Into<Arc<str>>) -> Self {
        Self {
            base: base.into(),
            waiting: Arc::default(),
        }
    }

    /// The address of the page for the question `id`, which nobody can guess. A server for more than one user has to
    /// check who opens it as well.
    pub(super) fn url(&self, id: &str) -> String {
        format!("{}/uploads/{id}", self.base)
    }

    /// Opens the page for the question `id` until the future is dropped, which gives what was uploaded.
    pub(super) fn expect(
        &self,
        id: &str,
    ) -> impl Future<Output = Result<Vec<u8>, ToolError>> + use<> {
        let (send, uploaded) = oneshot::channel();
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.retain(|_, call| !call.is_closed());
        waiting.insert(id.to_owned(), send);
        async { Ok(uploaded.await?) }
    }

    /// Hands a file to the call that waits for it; `false` if none does.
    pub fn receive(&self, id: &str, file: Vec<u8>) -> bool {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let call = waiting.remove(id);
        call.is_some_and(|call| call.send(file).is_ok())
    }

    /// The page itself.
    pub fn router(&self) -> Router {
        Router::new()
            .route("/uploads/{id}", get(page).put(put))
            .with_state(self.clone())
    }
}

async fn page() -> Html<&'static str> {
    Html(
        r#"<!doctype html><title>Upload</title>
<input type="file" onchange="fetch(location, { method: 'PUT', body: this.files[0] })
    .then(reply => reply.text()).then(text => document.body.textContent = text)">"#,
    )
}

async fn put(
    State(uploads): State<Uploads>,
    Path(id): Path<String>,
    file: Bytes,
) -> (StatusCode, &'static str) {
    if uploads.receive(&id, file.into()) {
        (StatusCode::OK, "Thank you. You can close this page.")
    } else {
        (StatusCode::NOT_FOUND, "Nobody waits for this upload.")
    }
}
