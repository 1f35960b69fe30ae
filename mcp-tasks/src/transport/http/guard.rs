//! Who may talk to the endpoint at all: the checks against DNS rebinding.
//!
//! A page in a browser can make its own host name resolve to this machine. It cannot choose what the browser
//! sends as `Host` and `Origin`.

use http::header::{HOST, HeaderValue, ORIGIN};
use http::uri::Authority;
use http::{HeaderMap, Uri};

use crate::server::Allowed;

/// Judges requests by the host names and origins that a server takes.
#[derive(Clone, Debug)]
pub(super) struct Guard(pub(super) Allowed);

impl Guard {
    /// Whether the request may be looked at; `Err` says what is wrong with it.
    pub(super) fn check(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), &'static str> {
        self.check_host(headers, uri)?;
        // Only browsers send it.
        for origin in headers.get_all(ORIGIN) {
            let origin = origin
                .to_str()
                .map_err(|_| "the Origin header is not text")?;
            if !self.takes_origin(origin) {
                return Err("the Origin is not allowed");
            }
        }
        Ok(())
    }

    /// Whatever names a host counts, so that nobody on the way goes by a name that was not looked at.
    fn check_host(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), &'static str> {
        let mut named = headers.get_all(HOST).iter();
        let header = named.next().map(HeaderValue::to_str).transpose();
        let header = header.map_err(|_| "the Host header is not text")?;
        if named.next().is_some() {
            return Err("the Host header comes twice");
        }
        let target = uri.authority().map(Authority::as_str);
        if header.or(target).is_none() {
            return Err("the Host header is missing");
        }
        if [header, target]
            .into_iter()
            .flatten()
            .all(|host| self.takes_host(host))
        {
            Ok(())
        } else {
            Err("the Host header names a host that this server does not go by")
        }
    }

    fn takes_host(&self, host: &str) -> bool {
        let name = host_name(host);
        self.0.hosts.as_ref().is_none_or(|hosts| {
            // With or without its port.
            hosts
                .iter()
                .any(|known| known.eq_ignore_ascii_case(name) || known.eq_ignore_ascii_case(host))
        })
    }

    /// An origin listed, or a page that one of our own hosts serves. Any host is no permission for any page.
    fn takes_origin(&self, origin: &str) -> bool {
        let origin = origin.to_ascii_lowercase();
        if self.0.origins.contains(&origin) {
            return true;
        }
        let Some((_, host)) = origin.split_once("://") else {
            return false;
        };
        self.0.hosts.is_some() && self.takes_host(host)
    }
}

/// A host without its port; an IPv6 address keeps its brackets.
fn host_name(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => {
            // `[::1` is what is left of a bare `[::1]` cut at its last colon.
            if name.starts_with('[') && !name.ends_with(']') {
                host
            } else {
                name
            }
        }
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(guard: &Guard, host: &str, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().expect("a header value"));
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().expect("a header value"));
        }
        guard.check(&headers, &Uri::from_static("/mcp")).is_ok()
    }

    #[test]
    fn this_machine_is_taken_by_its_own_names() {
        let guard = Guard(Allowed::default());
        for host in [
            "localhost",
            "127.0.0.1:8080",
            "LOCALHOST:1",
            "[::1]",
            "[::1]:80",
        ] {
            assert!(check(&guard, host, None), "{host}");
        }
    }

    #[test]
    fn a_host_that_resolves_here_is_refused() {
        let guard = Guard(Allowed::default());
        for host in [
            "evil.example.com",
            "localhost.evil.example",
            "127.0.0.1.evil.example:80",
            "",
        ] {
            assert!(!check(&guard, host, None), "{host}");
        }
    }

    #[test]
    fn a_page_from_elsewhere_is_refused_and_one_from_here_is_not() {
        let guard = Guard(Allowed::default());
        assert!(check(&guard, "localhost:80", Some("http://localhost:3000")));
        assert!(check(&guard, "localhost:80", Some("http://[::1]:3000")));
        for origin in [
            "http://evil.example.com",
            "null",
            "http://localhost.evil.example",
            "",
        ] {
            assert!(!check(&guard, "localhost:80", Some(origin)), "{origin}");
        }
    }

    #[test]
    fn hosts_and_origins_can_be_allowed() {
        let mut guard = Guard(Allowed::default());
        guard.0.allow_host("api.example.com");
        guard.0.allow_origin("https://app.example.com/");
        assert!(check(
            &guard,
            "api.example.com",
            Some("https://app.example.com")
        ));
        assert!(check(&guard, "API.example.com:443", None));
        assert!(!check(
            &guard,
            "api.example.com",
            Some("https://other.example.com")
        ));
    }

    #[test]
    fn any_host_is_no_permission_for_any_page() {
        let mut guard = Guard(Allowed::default());
        guard.0.allow_any_host();
        assert!(check(&guard, "whatever.example", None));
        assert!(!check(
            &guard,
            "whatever.example",
            Some("http://whatever.example")
        ));
    }
}
