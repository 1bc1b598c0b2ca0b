//! TLS as a client: trusted certificates, and the handshake.

use std::fmt;
use std::io::{self, ErrorKind};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::transport::Transport;
use crate::{Error, Result};

/// How long a server may take to shake hands.
const HANDSHAKE_SECONDS_MAX: u64 = 10;

/// The certificates that a client trusts.
#[derive(Clone)]
pub(crate) struct Trust(Arc<ClientConfig>);

impl Trust {
    /// Trusts the issuers that browsers trust.
    pub(crate) fn public() -> Result<Self> {
        Self::of(RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() })
    }

    /// Trusts the certificates in a PEM file, and no others.
    pub(crate) fn only(file: &Path) -> Result<Self> {
        let unusable = |reason: String| Error::Authority { file: file.to_owned(), reason };
        let certificates = CertificateDer::pem_file_iter(file)
            .and_then(Iterator::collect::<std::result::Result<Vec<_>, _>>)
            .map_err(|error| unusable(error.to_string()))?;
        let mut roots = RootCertStore::empty();
        for certificate in certificates {
            roots.add(certificate).map_err(|error| unusable(error.to_string()))?;
        }
        if roots.is_empty() {
            return Err(unusable("it contains no certificate".to_owned()));
        }
        Self::of(roots)
    }

    fn of(roots: RootCertStore) -> Result<Self> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&rustls::version::TLS13, &rustls::version::TLS12])
            .map_err(|error| Error::Io(io::Error::other(error)))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self(Arc::new(config)))
    }

    /// Performs the handshake on a connection.
    pub(crate) fn connect(
        &self,
        host: &str,
        mut socket: TcpStream,
    ) -> io::Result<Transport<TcpStream>> {
        let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
        let config = Arc::clone(&self.0);
        let mut connection = ClientConnection::new(config, name).map_err(io::Error::other)?;
        socket.set_read_timeout(Some(Duration::from_secs(HANDSHAKE_SECONDS_MAX)))?;
        while connection.is_handshaking() {
            connection.complete_io(&mut socket).map_err(|error| match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut => io::Error::new(
                    ErrorKind::TimedOut,
                    format!("no handshake within {HANDSHAKE_SECONDS_MAX} s"),
                ),
                _ => error,
            })?;
        }
        socket.set_read_timeout(None)?;
        Ok(Transport::Tls(Box::new(StreamOwned::new(connection, socket))))
    }
}

impl fmt::Debug for Trust {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Trust")
    }
}
