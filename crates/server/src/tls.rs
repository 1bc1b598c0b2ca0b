//! TLS 1.2 and 1.3: certificates from files, reloaded while the server runs, or generated for tests
//! on the same network. Only this module uses rustls.

mod error;
mod self_signed;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use arc_swap::ArcSwap;
use rustls::client::verify_server_cert_signed_by_trust_anchor;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::{self, PemObject as _};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, InconsistentKeys, RootCertStore, ServerConfig};
use tokio::net::TcpStream;

pub use error::TlsError;

use crate::secure::{Accepting, TlsAcceptor, TlsStream};

/// The certificate of the server, with its key. Clones share it.
#[derive(Clone)]
pub struct Tls(Arc<ArcSwap<ServerConfig>>);

impl Tls {
    /// Reads a certificate, followed by those of its issuers, and its private key from PEM files.
    ///
    /// # Errors
    /// Fails if a file can't be read or contains something else, the certificate is not valid now,
    /// or the key belongs to another certificate.
    pub fn read(certificate: &Path, key: &Path) -> Result<Self, TlsError> {
        let config = read(certificate, key)?;
        Ok(Self(Arc::new(ArcSwap::from_pointee(config))))
    }

    /// Reads a certificate and its key again; new connections then use them. After an error the old
    /// ones stay in use.
    ///
    /// # Errors
    /// Returns the errors of [`Tls::read`].
    pub fn reload(&self, certificate: &Path, key: &Path) -> Result<(), TlsError> {
        self.0.store(Arc::new(read(certificate, key)?));
        Ok(())
    }

    fn from_pem(certificate: &Pem<'_>, key: &Pem<'_>) -> Result<Self, TlsError> {
        Ok(Self(Arc::new(ArcSwap::from_pointee(config(certificate, key)?))))
    }
}

impl TlsAcceptor for Tls {
    fn accept(&self, socket: TcpStream) -> Accepting {
        let acceptor = tokio_rustls::TlsAcceptor::from(self.0.load_full());
        Box::pin(async move {
            let stream = acceptor.accept(socket).await?;
            Ok(Box::new(stream) as Box<dyn TlsStream>)
        })
    }
}

impl TlsStream for tokio_rustls::server::TlsStream<TcpStream> {
    fn socket(&self) -> &TcpStream {
        self.get_ref().0
    }
}

/// A text in PEM form, and its file.
struct Pem<'a> {
    file: &'a Path,
    text: Vec<u8>,
}

impl<'a> Pem<'a> {
    fn read(file: &'a Path) -> Result<Self, TlsError> {
        let text = std::fs::read(file);
        let text = text.map_err(|reason| TlsError::Unreadable { file: file.to_owned(), reason })?;
        Ok(Self { file, text })
    }

    fn malformed(&self, reason: impl ToString) -> TlsError {
        TlsError::Malformed { file: self.file.to_owned(), reason: reason.to_string() }
    }
}

fn read(certificate: &Path, key: &Path) -> Result<ServerConfig, TlsError> {
    config(&Pem::read(certificate)?, &Pem::read(key)?)
}

fn config(certificate: &Pem<'_>, key: &Pem<'_>) -> Result<ServerConfig, TlsError> {
    let chain = CertificateDer::pem_slice_iter(&certificate.text).collect::<Result<Vec<_>, _>>();
    let chain = chain.map_err(|error| certificate.malformed(error))?;
    let Some(first) = chain.first() else {
        return Err(TlsError::NoCertificate(certificate.file.to_owned()));
    };
    let key_der = PrivateKeyDer::from_pem_slice(&key.text).map_err(|error| match error {
        pem::Error::NoItemsFound => TlsError::NoKey(key.file.to_owned()),
        error => key.malformed(error),
    })?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    check_dates(first, &provider, certificate)?;
    let config = ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13, &rustls::version::TLS12])
        .map_err(|error| certificate.malformed(error))?
        .with_no_client_auth()
        .with_single_cert(chain, key_der);
    let mut config = config.map_err(|error| match error {
        rustls::Error::InconsistentKeys(InconsistentKeys::KeyMismatch) => TlsError::Mismatch {
            certificate: certificate.file.to_owned(),
            key: key.file.to_owned(),
        },
        rustls::Error::InvalidCertificate(_) => certificate.malformed(error),
        error => key.malformed(error),
    })?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

/// Refuses a certificate that is not valid now. Its issuer does not matter here: clients decide
/// about that.
fn check_dates(
    certificate: &CertificateDer<'_>,
    provider: &CryptoProvider,
    pem: &Pem<'_>,
) -> Result<(), TlsError> {
    let parsed = ParsedCertificate::try_from(certificate).map_err(|error| pem.malformed(error))?;
    let verified = verify_server_cert_signed_by_trust_anchor(
        &parsed,
        &RootCertStore::empty(),
        &[],
        UnixTime::now(),
        provider.signature_verification_algorithms.all,
    );
    let file = || pem.file.to_owned();
    match verified {
        Err(rustls::Error::InvalidCertificate(CertificateError::ExpiredContext {
            not_after,
            ..
        })) => Err(TlsError::Expired { file: file(), on: date(not_after) }),
        Err(rustls::Error::InvalidCertificate(CertificateError::NotValidYetContext {
            not_before,
            ..
        })) => Err(TlsError::NotValidYet { file: file(), from: date(not_before) }),
        // Without roots every other certificate has an unknown issuer.
        _ => Ok(()),
    }
}

fn date(time: UnixTime) -> String {
    httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(time.as_secs()))
}

/// Maps a failure to write a file.
fn unwritable(file: &Path) -> impl FnOnce(io::Error) -> TlsError {
    let file = file.to_owned();
    move |reason| TlsError::Unwritable { file, reason }
}
