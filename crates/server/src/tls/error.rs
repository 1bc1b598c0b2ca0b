//! Why a certificate can't be used.

use std::io;
use std::path::PathBuf;

/// Why a certificate can't be used; the text contains what to do.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file can't be read.
    #[error("can't read {}: {reason}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The error of the system.
        reason: io::Error,
    },
    /// A file can't be written.
    #[error("can't write {}: {reason}", file.display())]
    Unwritable {
        /// The file.
        file: PathBuf,
        /// The error of the system.
        reason: io::Error,
    },
    /// There is no certificate in the file.
    #[error(
        "{} contains no certificate; give a PEM file with the server's certificate first and those \
         of its issuers after it",
        .0.display()
    )]
    NoCertificate(PathBuf),
    /// There is no private key in the file.
    #[error(
        "{} contains no private key; give a PEM file with a key that is not encrypted \
         (PKCS#8, PKCS#1 or SEC1)",
        .0.display()
    )]
    NoKey(PathBuf),
    /// The file contains something that is not a certificate or key.
    #[error("{} can't be used: {reason}", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// The error.
        reason: String,
    },
    /// The key belongs to another certificate.
    #[error(
        "the key in {} does not belong to the certificate in {}",
        key.display(), certificate.display()
    )]
    Mismatch {
        /// The file with the certificate.
        certificate: PathBuf,
        /// The file with the key.
        key: PathBuf,
    },
    /// The certificate has expired.
    #[error("the certificate in {} expired on {on}; renew it", file.display())]
    Expired {
        /// The file.
        file: PathBuf,
        /// When it expired.
        on: String,
    },
    /// The certificate is not valid yet.
    #[error(
        "the certificate in {} is valid from {from} on; check the clock of this machine",
        file.display()
    )]
    NotValidYet {
        /// The file.
        file: PathBuf,
        /// The beginning of its validity.
        from: String,
    },
    /// The certificate can't be generated.
    #[error("can't make a certificate: {0}")]
    SelfSigned(String),
}
