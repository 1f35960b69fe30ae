//! A store that fails, for a server under test.

use std::sync::Arc;

pub use crate::task::faulty::{FaultyStore, StoreCall};

use crate::server::Server;

impl FaultyStore {
    /// Lets `server` keep its tasks here. With the feature `unstable-store`, `Server::store` does the same.
    pub fn attach(&self, server: Server) -> Server {
        server.keeping_tasks_in(Arc::new(self.clone()))
    }
}
