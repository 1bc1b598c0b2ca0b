//! Access: who may reach the database, the site's paths and the metrics.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use crate::dispatch::Incoming;
use crate::keys::Keys;
use crate::site::{Audience, Site, SitePath};
use crate::worker::Shared;

/// The requests that the database accepts.
pub enum Access {
    /// Requests signed with one of these keys, for what the key allows.
    Signed(Keys),
    /// Unsigned requests from this machine: to a loopback name, and not forwarded by a proxy.
    /// Without the first check a web page whose name resolves to 127.0.0.1 could read the database;
    /// without the second a proxy for the services would expose it.
    Local,
    /// Unsigned requests of anyone who can connect.
    Anyone,
}

/// Who can reach a path of the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Anyone who can connect; the site authenticates them.
    Anyone,
    /// This machine, as with [`Access::Local`].
    Local,
    /// Nobody, except for a start page: callers that may use the database.
    Nobody,
}

/// What a listening address serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Serves {
    /// The database and the site.
    Everything,
    Database,
    Site,
    /// The site of a server without a database, and the server's own pages.
    SiteAlone,
    Metrics,
}

/// The peer of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer {
    pub(crate) address: SocketAddr,
    /// What the listening address serves.
    pub(crate) serves: Serves,
}

/// The recipient of a request.
pub(crate) enum Route {
    Site(Arc<dyn Site>, SitePath, Audience),
    /// The database, or one of the server's own pages.
    Server,
    Closed(Closed),
}

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closed {
    /// The address has no such path.
    Absent,
    /// A web page sent it.
    WebPage,
    /// It is not from this machine, or that is unknown.
    NotLocal,
    /// It is for the site, which is open to this machine only, and not from this machine.
    SiteNotLocal,
    /// It requests metrics, and is not from this machine.
    Metrics,
}

impl Route {
    pub(crate) fn of(shared: &Shared, incoming: Incoming<'_>) -> Self {
        match (Self::to_site(shared, incoming), incoming.peer.serves) {
            (Some(route), _) => route,
            (None, Serves::Site) => Self::Closed(Closed::Absent),
            (None, Serves::SiteAlone) => match incoming.path() {
                b"/health" | b"/ready" => Self::Server,
                b"/metrics" if is_local(incoming) => Self::Server,
                b"/metrics" => Self::Closed(Closed::Metrics),
                _ => Self::Closed(Closed::Absent),
            },
            (None, Serves::Metrics) => match incoming.path() {
                b"/metrics" | b"/health" | b"/ready" => Self::Server,
                _ => Self::Closed(Closed::Absent),
            },
            (None, Serves::Everything | Serves::Database) => {
                closed(&shared.config.access, incoming).map_or(Self::Server, Self::Closed)
            }
        }
    }

    /// Returns the route to the site, if the path is the site's.
    fn to_site(shared: &Shared, incoming: Incoming<'_>) -> Option<Self> {
        let site = shared.site.as_ref()?;
        let path = site.find(std::str::from_utf8(incoming.path()).ok()?)?;
        let open = |audience| Some(Self::Site(Arc::clone(site), path, audience));
        if path.is_start {
            if incoming.path() == b"/" && !incoming.is_for_page() {
                return None;
            }
            if is_answered_by_database(shared, incoming) {
                return open(Audience::Operator);
            }
        }
        match (incoming.peer.serves, path.reach) {
            (Serves::Everything | Serves::Database, Reach::Nobody) => None,
            (Serves::Database, _) if path.is_start => None,
            (Serves::Database | Serves::Metrics, _)
            | (Serves::Site | Serves::SiteAlone, Reach::Nobody) => {
                Some(Self::Closed(Closed::Absent))
            }
            (Serves::Everything | Serves::Site | Serves::SiteAlone, Reach::Local)
                if !is_local(incoming) =>
            {
                Some(Self::Closed(Closed::SiteNotLocal))
            }
            (
                Serves::Everything | Serves::Site | Serves::SiteAlone,
                Reach::Anyone | Reach::Local,
            ) => open(Audience::Visitor),
        }
    }
}

/// Returns whether the database would accept this caller without a signature.
fn is_answered_by_database(shared: &Shared, incoming: Incoming<'_>) -> bool {
    let is_there = match incoming.peer.serves {
        Serves::Everything | Serves::Database => true,
        Serves::Site | Serves::SiteAlone | Serves::Metrics => false,
    };
    let is_unsigned = match shared.config.access {
        Access::Signed(_) => false,
        Access::Local | Access::Anyone => true,
    };
    is_there && is_unsigned && closed(&shared.config.access, incoming).is_none()
}

/// Returns the site that responds to a refused request for a path, if the path is the site's. The
/// head may be broken, so it is unknown whether the request is local.
pub(crate) fn refusing_site<'s>(
    shared: &'s Shared,
    peer: Peer,
    path: &str,
) -> Option<&'s Arc<dyn Site>> {
    let site = shared.site.as_ref()?;
    let is_start = site.find(path)?.is_start;
    match peer.serves {
        Serves::Database | Serves::Metrics => None,
        Serves::Everything | Serves::Site | Serves::SiteAlone => Some(site).filter(|_| !is_start),
    }
}

/// Returns why a request for the database or a page of the server is refused, if it is.
fn closed(access: &Access, incoming: Incoming<'_>) -> Option<Closed> {
    match access {
        Access::Signed(_) => None,
        // A page from elsewhere can make the browser call a server on its own machine.
        Access::Local | Access::Anyone if incoming.head.has_origin => Some(Closed::WebPage),
        Access::Local if !is_local(incoming) => Some(Closed::NotLocal),
        Access::Local | Access::Anyone => None,
    }
    // The metrics contain names of tables and keys.
    .or_else(|| (incoming.path() == b"/metrics" && !is_local(incoming)).then_some(Closed::Metrics))
}

/// Returns whether a request is certainly from this machine.
fn is_local(incoming: Incoming<'_>) -> bool {
    incoming.peer.address.ip().to_canonical().is_loopback()
        && !incoming.head.is_forwarded
        && !incoming.head.has_two_hosts
        && incoming.host_bytes().is_none_or(is_loopback_name)
}

/// Returns whether a host, with or without a port, is a name of the loopback.
fn is_loopback_name(host: &[u8]) -> bool {
    let Ok(host) = std::str::from_utf8(host) else { return false };
    let (name, port) = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, port)) => {
            let is_loopback = |address: Ipv6Addr| IpAddr::V6(address).to_canonical().is_loopback();
            return address.parse().is_ok_and(is_loopback)
                && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port));
        }
        None => host.split_once(':').map_or((host, "0"), |(name, port)| (name, port)),
    };
    let name = name.strip_suffix('.').unwrap_or(name);
    let top = name.rsplit('.').next().unwrap_or(name);
    is_port(port)
        && (top.eq_ignore_ascii_case("localhost")
            || name.parse().is_ok_and(|address: Ipv4Addr| address.is_loopback()))
}

fn is_port(text: &str) -> bool {
    text.parse::<u16>().is_ok() && !text.starts_with('+')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_the_loopback_are_local() {
        for host in [
            "localhost",
            "LocalHost:8000",
            "localhost.",
            "app.localhost:1",
            "127.0.0.1",
            "127.200.0.9:65535",
            "[::1]",
            "[::1]:8000",
            "[::ffff:127.0.0.1]:8000",
        ] {
            assert!(is_loopback_name(host.as_bytes()), "{host}");
        }
        for host in [
            "",
            "example.com",
            "localhost.example.com",
            "127.0.0.1.example.com",
            "notlocalhost",
            "localhost:80:80",
            "localhost:port",
            "localhost:+80",
            "user@localhost",
            "0.0.0.0:8000",
            "10.0.0.1",
            "::1",
            "[::1",
            "[::1]x",
            "[::]:8000",
            "[fe80::1]",
            "[::7f00:1]",
            "2130706433",
        ] {
            assert!(!is_loopback_name(host.as_bytes()), "{host}");
        }
        assert!(!is_loopback_name(b"localhost\xff"));
    }
}
