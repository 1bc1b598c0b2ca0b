//! Files that `monotable serve` reads again when it gets SIGHUP.

use std::path::PathBuf;

use anyhow::Result;
use monotable_server::Keys;

use super::network::read_credentials;
use super::tls::Certificate;

/// The files that can be read again.
#[derive(Default)]
pub(crate) struct Reloading {
    /// The credentials file, and the keys in use.
    pub(crate) credentials: Option<(PathBuf, Keys)>,
    pub(crate) certificate: Option<Certificate>,
}

impl Reloading {
    /// Whether there is something to read again. If not, SIGHUP ends the process as it ends any other.
    pub(crate) fn is_possible(&self) -> bool {
        self.credentials.is_some()
            || self.certificate.as_ref().is_some_and(|it| it.file().is_some())
    }

    /// Reads all files again, or changes nothing if one of them can't be used. Returns their names.
    pub(crate) fn reload(&self) -> Result<String> {
        let mut names = Vec::new();
        let keys = match &self.credentials {
            None => None,
            Some((file, keys)) => {
                names.push(file.display().to_string());
                Some((keys, read_credentials(file)?))
            }
        };
        if let Some(certificate) = &self.certificate {
            certificate.reload()?;
            names.extend(certificate.file().map(|file| file.display().to_string()));
        }
        if let Some((keys, ring)) = keys {
            keys.replace(ring);
        }
        Ok(names.join(" and "))
    }
}
