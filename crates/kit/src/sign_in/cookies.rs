//! The cookies of a session: one with its ticket, which no script can read, and one with the token that
//! scripts of the service send in `X-CSRF-Token`.

use std::time::Duration;

use http::HeaderValue;
use http::header::COOKIE;
use http::request::Parts;

use super::ticket::Ticket;
use crate::route::ServiceName;

/// How long browsers keep the cookies of a session after its end, so that a page which is still
/// open can report that the session has ended.
const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// The cookies of a service. Services share an origin, so each has its own names.
pub(super) struct Cookies {
    pub(super) service: ServiceName,
    /// Whether browsers use TLS.
    pub(super) is_secure: bool,
}

impl Cookies {
    /// Returns the ticket in the cookie of a session, if there is exactly one.
    pub(super) fn ticket(&self, head: &Parts) -> Option<Ticket> {
        Ticket::parse(cookie(head, &self.name("session"))?)
    }

    /// Returns `Set-Cookie` for a session that starts.
    pub(super) fn set(&self, ticket: &Ticket, csrf: &str, lifetime: Duration) -> Vec<HeaderValue> {
        self.headers(&ticket.reveal(), csrf, lifetime + KEPT)
    }

    /// Returns `Set-Cookie` for a session that ends.
    pub(super) fn clear(&self) -> Vec<HeaderValue> {
        self.headers("", "", Duration::ZERO)
    }

    fn headers(&self, ticket: &str, csrf: &str, kept: Duration) -> Vec<HeaderValue> {
        let seconds = kept.as_secs();
        // Browsers accept the prefix `__Host-` only for the whole host and with TLS, so that no other host
        // can set the cookie.
        let scope = if self.is_secure {
            "Path=/; Secure".to_owned()
        } else {
            format!("Path=/{}", self.service.name)
        };
        let cookies = [
            format!(
                "{}={ticket}; {scope}; HttpOnly; SameSite=Lax; Max-Age={seconds}",
                self.name("session")
            ),
            format!("{}={csrf}; {scope}; SameSite=Strict; Max-Age={seconds}", self.name("csrf")),
        ];
        cookies.into_iter().filter_map(|cookie| HeaderValue::try_from(cookie).ok()).collect()
    }

    fn name(&self, what: &str) -> String {
        let has_own_names = self.service.cookie_prefix.is_some();
        let prefix = if self.is_secure && !has_own_names { "__Host-" } else { "" };
        format!("{prefix}{}", self.service.cookie(what))
    }
}

/// Returns the value of a cookie, if a request has exactly one of that name.
fn cookie<'a>(head: &'a Parts, name: &str) -> Option<&'a str> {
    let headers = head.headers.get_all(COOKIE).iter().filter_map(|header| header.to_str().ok());
    let pairs =
        headers.flat_map(|header| header.split(';')).filter_map(|pair| pair.split_once('='));
    let mut values = pairs.filter(|(key, _)| key.trim() == name).map(|(_, value)| value.trim());
    match (values.next(), values.next()) {
        (Some(value), None) => Some(value),
        _ => None,
    }
}
