//! Where the server is: a URL, taken apart once.

use std::fmt;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs as _};
use std::time::Duration;

use crate::{Error, Result};

/// How long a server may take to accept a connection.
const CONNECT_SECONDS_MAX: u64 = 5;

/// An endpoint: `http://host:port`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Host and port as the `host` header has them.
    authority: String,
    host: String,
    port: u16,
}

impl Endpoint {
    /// Takes a URL apart. Only plain HTTP at the root of a server is an endpoint here.
    pub fn parse(url: &str) -> Result<Self> {
        let invalid = |reason: &str| Error::InvalidEndpoint {
            url: url.to_owned(),
            reason: reason.to_owned(),
        };
        if url.starts_with("https://") {
            return Err(invalid("only plain http is spoken here, not https"));
        }
        let rest =
            url.strip_prefix("http://").ok_or_else(|| invalid("it must begin with http://"))?;
        let authority = rest.strip_suffix('/').unwrap_or(rest);
        if authority.contains(['/', '?', '#', '@']) || authority.contains(char::is_whitespace) {
            return Err(invalid("it must be a host and a port, without a path"));
        }
        // The colons of an IPv6 address stand inside brackets.
        let port_at = authority.rfind(':').filter(|at| !authority[*at..].contains(']'));
        let (host, port) = match port_at {
            None => (authority, 80),
            Some(at) => {
                let port = authority[at + 1..].parse();
                (&authority[..at], port.map_err(|_| invalid("the port is not a number"))?)
            }
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        if host.is_empty() {
            return Err(invalid("it has no host"));
        }
        Ok(Self { authority: authority.to_owned(), host: host.to_owned(), port })
    }

    /// Host and port, for the `host` header.
    pub(crate) fn authority(&self) -> &str {
        &self.authority
    }

    /// Opens a connection to the first address of the host that accepts one.
    pub(crate) fn connect(&self) -> Result<TcpStream> {
        let unreachable = |reason| Error::Unreachable { endpoint: self.to_string(), reason };
        let addresses = (self.host.as_str(), self.port).to_socket_addrs().map_err(unreachable)?;
        let mut failure = std::io::Error::other("the name has no address");
        for address in addresses {
            match connect(address) {
                Ok(stream) => return Ok(stream),
                Err(error) => failure = error,
            }
        }
        Err(unreachable(failure))
    }
}

fn connect(address: SocketAddr) -> std::io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(&address, Duration::from_secs(CONNECT_SECONDS_MAX))?;
    // A request is written at once; waiting for more to send would only delay it.
    stream.set_nodelay(true)?;
    Ok(stream)
}

impl fmt::Display for Endpoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "http://{}", self.authority)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(url: &str, expected: Expect) {
        let seen = match Endpoint::parse(url) {
            Ok(Endpoint { authority, host, port }) => format!("{authority} = {host} : {port}"),
            Err(error) => error.to_string(),
        };
        expected.assert_eq(&seen);
    }

    #[test]
    fn urls_are_taken_apart() {
        check("http://localhost:8000", expect!["localhost:8000 = localhost : 8000"]);
        check("http://localhost:8000/", expect!["localhost:8000 = localhost : 8000"]);
        check("http://example.com", expect!["example.com = example.com : 80"]);
        check("http://[::1]:8000", expect!["[::1]:8000 = ::1 : 8000"]);
        check("http://[::1]", expect!["[::1] = ::1 : 80"]);
    }

    #[test]
    fn other_urls_are_refused_with_a_reason() {
        check(
            "localhost:8000",
            expect!["localhost:8000 is not an endpoint: it must begin with http://"],
        );
        check(
            "https://localhost:8000",
            expect![
                "https://localhost:8000 is not an endpoint: only plain http is spoken here, not https"
            ],
        );
        check(
            "http://localhost:8000/path",
            expect![
                "http://localhost:8000/path is not an endpoint: it must be a host and a port, without a path"
            ],
        );
        check(
            "http://localhost:port",
            expect!["http://localhost:port is not an endpoint: the port is not a number"],
        );
        check("http://:8000", expect!["http://:8000 is not an endpoint: it has no host"]);
        check("http://", expect!["http:// is not an endpoint: it has no host"]);
    }
}
