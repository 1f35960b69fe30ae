tools![search, #[cfg(feature = "ping")] ping, jobs::deploy, hash]
