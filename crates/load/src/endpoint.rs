//! The address of the server: a parsed URL.

use std::fmt;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs as _};
use std::path::Path;
use std::time::Duration;

#[cfg(feature = "tls")]
use crate::tls::Trust;
use crate::transport::Transport;
use crate::{Error, Result};

/// How long a server may take to accept a connection.
const CONNECT_SECONDS_MAX: u64 = 5;

/// An endpoint: `http://host:port` or `https://host:port`.
#[derive(Clone, Debug)]
pub struct Endpoint {
    scheme: Scheme,
    /// Host and port in the form of the `host` header.
    authority: String,
    host: String,
    port: u16,
}

/// The protocol of an endpoint.
#[derive(Clone, Debug)]
enum Scheme {
    Http,
    #[cfg(feature = "tls")]
    Https(Trust),
}

impl Scheme {
    fn name(&self) -> &'static str {
        match self {
            Self::Http => "http",
            #[cfg(feature = "tls")]
            Self::Https(_) => "https",
        }
    }

    fn usual_port(&self) -> u16 {
        match self {
            Self::Http => 80,
            #[cfg(feature = "tls")]
            Self::Https(_) => 443,
        }
    }
}

impl Endpoint {
    /// Parses a URL. Only the root of a server is an endpoint here.
    ///
    /// A server behind `https` needs a certificate of an issuer in the file `trusted`, or of one
    /// that browsers accept.
    pub fn parse(url: &str, trusted: Option<&Path>) -> Result<Self> {
        let invalid = |reason: &str| Error::InvalidEndpoint {
            url: url.to_owned(),
            reason: reason.to_owned(),
        };
        let (scheme, rest) = match url.split_once("://") {
            Some(("http", _)) if trusted.is_some() => {
                return Err(invalid("certificates are for https://"));
            }
            Some(("http", rest)) => (Scheme::Http, rest),
            #[cfg(feature = "tls")]
            Some(("https", rest)) => {
                let trust = trusted.map_or_else(Trust::public, Trust::only)?;
                (Scheme::Https(trust), rest)
            }
            #[cfg(not(feature = "tls"))]
            Some(("https", _)) => {
                return Err(invalid("this program was built without TLS (feature `tls`)"));
            }
            _ => return Err(invalid("it must begin with http:// or https://")),
        };
        let authority = rest.strip_suffix('/').unwrap_or(rest);
        if authority.contains(['/', '?', '#', '@']) || authority.contains(char::is_whitespace) {
            return Err(invalid("it must be a host and a port, without a path"));
        }
        // The colons of an IPv6 address are inside brackets.
        let port_at = authority.rfind(':').filter(|at| !authority[*at..].contains(']'));
        let (host, port) = match port_at {
            None => (authority, scheme.usual_port()),
            Some(at) => {
                let port = authority[at + 1..].parse();
                (&authority[..at], port.map_err(|_| invalid("the port is not a number"))?)
            }
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        if host.is_empty() {
            return Err(invalid("it has no host"));
        }
        Ok(Self { scheme, authority: authority.to_owned(), host: host.to_owned(), port })
    }

    /// Host and port, for the `host` header.
    pub(crate) fn authority(&self) -> &str {
        &self.authority
    }

    /// Opens a connection to the first address of the host that accepts one.
    pub(crate) fn connect(&self) -> Result<Transport<TcpStream>> {
        let socket = self.connect_socket()?;
        match &self.scheme {
            Scheme::Http => Ok(Transport::Plain(socket)),
            #[cfg(feature = "tls")]
            Scheme::Https(trust) => {
                let insecure = |reason| Error::NotSecure { endpoint: self.to_string(), reason };
                trust.connect(&self.host, socket).map_err(insecure)
            }
        }
    }

    fn connect_socket(&self) -> Result<TcpStream> {
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
        write!(formatter, "{}://{}", self.scheme.name(), self.authority)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(url: &str, expected: Expect) {
        let seen = match Endpoint::parse(url, None) {
            Ok(Endpoint { authority, host, port, .. }) => format!("{authority} = {host} : {port}"),
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

    #[cfg(feature = "tls")]
    #[test]
    fn https_has_a_port_and_certificates_of_its_own() {
        check("https://localhost:8443", expect!["localhost:8443 = localhost : 8443"]);
        check("https://[::1]/", expect!["[::1] = ::1 : 443"]);
        let endpoint = Endpoint::parse("https://example.com", None).unwrap();
        assert_eq!(endpoint.to_string(), "https://example.com");
        for (url, expected) in [
            (
                "http://localhost",
                "http://localhost is not an endpoint: certificates are for https://",
            ),
            ("https://localhost", "the certificates in /nowhere.pem can't be used: "),
        ] {
            let error = Endpoint::parse(url, Some(Path::new("/nowhere.pem"))).unwrap_err();
            assert!(error.to_string().starts_with(expected), "{error}");
        }
    }

    #[test]
    fn other_urls_are_refused_with_a_reason() {
        check(
            "localhost:8000",
            expect!["localhost:8000 is not an endpoint: it must begin with http:// or https://"],
        );
        check(
            "ftp://localhost",
            expect!["ftp://localhost is not an endpoint: it must begin with http:// or https://"],
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
