//! A certificate that the server signs itself: for a phone on the same network, whose user accepts it once.

use std::net::IpAddr;
use std::path::Path;
use std::time::{Duration, SystemTime};

use rcgen::{CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, KeyPair};
use rustls::client::verify_server_name;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::server::ParsedCertificate;

use super::{Pem, Tls, TlsError, unwritable};

/// How long a certificate is valid. Phones accept no longer validity than 825 days.
const VALID_FOR: Duration = Duration::from_secs(800 * 24 * 60 * 60);
/// The clocks of clients may be behind.
const VALID_BEFORE: Duration = Duration::from_secs(24 * 60 * 60);

const CERTIFICATE_FILE: &str = "tls-certificate.pem";
const KEY_FILE: &str = "tls-key.pem";

impl Tls {
    /// Returns the self-signed certificate that is stored in a directory, so that clients which
    /// have accepted it accept it after a restart, too. If there is none, or it has expired or is
    /// for other addresses, a new one is generated. Without a directory the certificate ends with
    /// the process.
    ///
    /// # Errors
    /// Fails if no certificate can be generated, or a file can't be written.
    pub fn self_signed(directory: Option<&Path>, addresses: &[IpAddr]) -> Result<Self, TlsError> {
        let Some(directory) = directory else {
            let [certificate, key] = make(addresses)?;
            let pem = |file, text: String| Pem { file: Path::new(file), text: text.into_bytes() };
            return Self::from_pem(&pem(CERTIFICATE_FILE, certificate), &pem(KEY_FILE, key));
        };
        let files = [directory.join(CERTIFICATE_FILE), directory.join(KEY_FILE)];
        let [certificate_file, key_file] = &files;
        let kept = Self::read(certificate_file, key_file).ok();
        if let Some(kept) = kept.filter(|_| is_for(certificate_file, addresses)) {
            return Ok(kept);
        }
        for (file, text) in files.iter().zip(make(addresses)?) {
            std::fs::write(file, text).map_err(unwritable(file))?;
        }
        Self::read(certificate_file, key_file)
    }
}

/// Generates a certificate and its key, in PEM form.
fn make(addresses: &[IpAddr]) -> Result<[String; 2], TlsError> {
    let failed = |error: rcgen::Error| TlsError::SelfSigned(error.to_string());
    let key = KeyPair::generate().map_err(failed)?;
    let mut params = CertificateParams::new(names(addresses)).map_err(failed)?;
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, "Monotable");
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let now = SystemTime::now();
    params.not_before = (now - VALID_BEFORE).into();
    params.not_after = (now + VALID_FOR).into();
    let certificate = params.self_signed(&key).map_err(failed)?;
    Ok([certificate.pem(), key.serialize_pem()])
}

fn names(addresses: &[IpAddr]) -> Vec<String> {
    let addresses = addresses.iter().map(IpAddr::to_string);
    std::iter::once("localhost".to_owned()).chain(addresses).collect()
}

/// Returns whether a certificate has all these addresses.
fn is_for(file: &Path, addresses: &[IpAddr]) -> bool {
    let Ok(certificate) = CertificateDer::from_pem_file(file) else { return false };
    let Ok(certificate) = ParsedCertificate::try_from(&certificate) else { return false };
    names(addresses).into_iter().all(|name| {
        ServerName::try_from(name).is_ok_and(|name| verify_server_name(&certificate, &name).is_ok())
    })
}
