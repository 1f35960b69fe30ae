//! Finding out what a server speaks, and agreeing on it.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::time::timeout;

use super::Client;
use super::builder::ClientBuilder;
use super::core::{Ask, Core, Session};
use super::dialect::Wire;
use super::endpoint::Endpoint;
use super::error::ClientError;
use super::router::{Failure, Kind, Router, notification};
use crate::model::error::RpcError;
use crate::model::remote::RemoteServer;
use crate::wire::client::hello;

/// What came of `server/discover`.
enum Discovery {
    Modern(RemoteServer),
    /// A server of before, as far as can be told; what it said.
    Other(Failure),
}

pub(super) async fn connect(setup: ClientBuilder, to: Endpoint) -> Result<Client, ClientError> {
    let label = to.label.clone();
    let router = Arc::new(Router::new(
        &label,
        setup.handlers.clone(),
        setup.message_bytes,
    ));
    let transport = to.open(Arc::clone(&router)).await?;
    router.attach(&transport);
    let core = Arc::new(Core::new(setup, label, router, transport));
    let weak = Arc::downgrade(&core);
    core.router.news.on_orphan(move |task| {
        if let Some(core) = weak.upgrade() {
            core.tell_cancel(&task);
        }
    });
    core.find_wire().await?;
    Ok(Client { core })
}

impl Core {
    async fn find_wire(&self) -> Result<(), ClientError> {
        match self.setup.wire {
            Some(wire) if wire.is_modern() => match self.greeted(self.discover()).await?? {
                Discovery::Modern(server) => self.agree_on_modern(server),
                Discovery::Other(failure) => {
                    return Err(self.error("`server/discover`", failure));
                }
            },
            Some(wire) => self.initialize(wire).await?,
            None => self.find_era().await?,
        }
        Ok(())
    }

    /// "Any answer that is not a recognised modern one" means a server of before (2026-07-28 versioning), and so does
    /// none at all. The late answer of a server that is merely slow to start still counts.
    async fn find_era(&self) -> Result<(), ClientError> {
        let discover = self.discover();
        tokio::pin!(discover);
        let found = tokio::select! {
            found = &mut discover => Some(found?),
            () = tokio::time::sleep(self.setup.discovery) => None,
        };
        match found {
            Some(Discovery::Modern(server)) => self.agree_on_modern(server),
            Some(Discovery::Other(failure)) => self.fall_back(failure).await?,
            None => {
                let initialize = self.initialize(Wire::V2025_11_25);
                tokio::pin!(initialize);
                // A program that was slow to start answers both at once, and the first asked is the one to go by.
                tokio::select! {
                    biased;
                    found = &mut discover => match found? {
                        Discovery::Modern(server) => self.agree_on_modern(server),
                        Discovery::Other(_) => initialize.await?,
                    },
                    agreed = &mut initialize => agreed?,
                }
            }
        }
        Ok(())
    }

    /// Speaks as before 2026-07-28, unless there is nobody to speak to.
    async fn fall_back(&self, failure: Failure) -> Result<(), ClientError> {
        match failure {
            Failure::Connect(_)
            | Failure::Closed(_)
            | Failure::Http {
                status: 401 | 403, ..
            } => Err(self.error("`server/discover`", failure)),
            _ => self.initialize(Wire::V2025_11_25).await,
        }
    }

    fn agree_on_modern(&self, server: RemoteServer) {
        self.agree(Wire::V2026_07_28, Wire::V2026_07_28.as_str(), server);
    }

    async fn discover(&self) -> Result<Discovery, ClientError> {
        let mut ask = Ask::new("server/discover", Value::Null);
        ask.kind = Kind::Handshake;
        let modern = Session {
            number: 0,
            wire: Wire::V2026_07_28,
            version: Wire::V2026_07_28.as_str().to_owned(),
            server: RemoteServer::default(),
        };
        let mut again = true;
        loop {
            let failure = match self.once(&modern, &ask).await {
                Ok(result) => {
                    return match hello::discovered(result) {
                        Some((versions, server)) if names(&versions, Wire::V2026_07_28) => {
                            Ok(Discovery::Modern(server))
                        }
                        Some((versions, _)) => self.none_of(&versions),
                        // Whatever answered does not know the method.
                        None => Ok(Discovery::Other(Failure::Rpc(RpcError::new(
                            RpcError::METHOD_NOT_FOUND,
                            "the answer is none to `server/discover`",
                        )))),
                    };
                }
                Err(failure) => failure,
            };
            match &failure {
                Failure::Rpc(error) => match hello::supported(error) {
                    Some(versions) if names(&versions, Wire::V2026_07_28) && again => again = false,
                    Some(versions) => return self.none_of(&versions),
                    None if hello::is_modern_error(error) => {
                        return Err(self.error("`server/discover`", failure));
                    }
                    None => return Ok(Discovery::Other(failure)),
                },
                _ => return Ok(Discovery::Other(failure)),
            }
        }
    }

    /// A server that lists revisions, without 2026-07-28: one of before may be among them.
    fn none_of(&self, versions: &[String]) -> Result<Discovery, ClientError> {
        if versions
            .iter()
            .any(|version| Wire::of_session(version).is_some())
        {
            let error = RpcError::new(
                RpcError::UNSUPPORTED_VERSION,
                "Unsupported protocol version",
            );
            return Ok(Discovery::Other(Failure::Rpc(error)));
        }
        let spoken = match versions {
            [] => "no revision that it names".to_owned(),
            _ => versions.join(", "),
        };
        Err(ClientError::Unsupported(format!(
            "{} speaks {spoken}, and this client {} and before",
            self.label,
            Wire::V2026_07_28
        )))
    }

    async fn initialize(&self, wire: Wire) -> Result<(), ClientError> {
        let setup = &self.setup;
        let params = hello::initialize(wire.revision(), &setup.info, setup.capabilities());
        let mut ask = Ask::new("initialize", params.into());
        ask.kind = Kind::Handshake;
        let before = Session {
            number: 0,
            wire,
            version: wire.revision().as_str().to_owned(),
            server: RemoteServer::default(),
        };
        let answer = self.greeted(self.once(&before, &ask)).await?;
        let answer = answer.map_err(|failure| self.error("`initialize`", failure))?;
        let (version, server) = hello::initialized(answer).map_err(|why| self.broken(why))?;
        let agreed = match (setup.wire, Wire::of_session(&version)) {
            (Some(forced), _) if forced.revision().as_str() == version => forced,
            (None, Some(offered)) => offered,
            _ => {
                return Err(ClientError::Unsupported(format!(
                    "{} answers {} with {version}, which this client {}",
                    self.label,
                    wire.revision().as_str(),
                    if setup.wire.is_some() {
                        "was told not to speak"
                    } else {
                        "does not know"
                    }
                )));
            }
        };
        self.agree(agreed, &version, server);
        self.transport
            .send(notification("notifications/initialized", &Value::Null));
        self.set_log_level().await;
        Ok(())
    }

    /// The answer to a greeting, unless it takes too long.
    async fn greeted<T>(&self, answer: impl Future<Output = T>) -> Result<T, ClientError> {
        let patience = self.setup.handshake;
        let answered = timeout(patience, answer).await;
        answered.map_err(|_| ClientError::Unanswered {
            server: self.label.clone(),
            why: format!("nothing came within {patience:?}"),
        })
    }

    /// Asks a session for log messages, where somebody takes them and the server has some.
    async fn set_log_level(&self) {
        let (Some(level), Ok(session)) = (self.setup.log_level, self.session()) else {
            return;
        };
        if !session.server.offers(&["logging"]) {
            return;
        }
        let ask = Ask::new("logging/setLevel", json!({ "level": level.as_str() }));
        if let Err(failure) = self.once(&session, &ask).await {
            tracing::warn!("the server refused to log: {failure:?}");
        }
    }

    /// Agrees anew where the server has forgotten `old`. Many may find out at once; one does it.
    pub(super) async fn renew(&self, old: &Session) -> Result<(), ClientError> {
        let _renewing = self.renewing.lock().await;
        if self.session()?.number != old.number {
            return Ok(());
        }
        tracing::debug!("the server has forgotten the session; there will be another");
        self.tools.forget();
        self.initialize(old.wire).await
    }

    /// The server does not take the version it was just spoken to in.
    pub(super) async fn change_version(
        &self,
        old: &Session,
        supported: &[String],
    ) -> Result<(), ClientError> {
        if names(supported, Wire::V2026_07_28) {
            return Ok(());
        }
        if self.setup.wire.is_some() {
            return Err(ClientError::Unsupported(format!(
                "{} speaks {}, and this client was told to speak {}",
                self.label,
                supported.join(", "),
                old.wire
            )));
        }
        self.none_of(supported)?;
        let _renewing = self.renewing.lock().await;
        if self.session()?.number != old.number {
            return Ok(());
        }
        self.tools.forget();
        self.initialize(Wire::V2025_11_25).await
    }
}

fn names(versions: &[String], wire: Wire) -> bool {
    versions.iter().any(|version| version == wire.as_str())
}
