//! A store that fails, for a server under test.

use std::sync::Arc;

use crate::server::Server;
use crate::task::faulty::FaultyStore;

impl FaultyStore {
    /// Lets `server` keep its tasks here. With the feature `unstable-store`, `Server::store` does the same.
    pub fn attach(&self, server: Server) -> Server {
        server.keeping_tasks_in(Arc::new(self.clone()))
    }
}
