//! Files that `monotable serve` reads again on SIGHUP.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use monotable_server::Keys;

use super::network::read_credentials;
use super::tls::Certificate;
use crate::access_log::AccessLog;

/// The files that can be read again.
#[derive(Default)]
pub(crate) struct Reloading {
    /// The credentials file, and the keys in use.
    pub(crate) credentials: Option<(PathBuf, Keys)>,
    pub(crate) certificate: Option<Certificate>,
    /// The log that is reopened.
    pub(crate) access_log: Option<Arc<AccessLog>>,
}

impl Reloading {
    /// Returns whether there is something to read again. If not, SIGHUP ends the process as usual.
    pub(crate) fn is_possible(&self) -> bool {
        self.access_log.is_some()
            || self.credentials.is_some()
            || self.certificate.as_ref().is_some_and(|it| it.file().is_some())
    }

    /// Reopens the access log and reads all files again; if one of them can't be used, none is
    /// changed. Returns what was done.
    pub(crate) fn reload(&self) -> Result<String> {
        let mut done = Vec::new();
        if let Some(log) = &self.access_log {
            let path = log.path().display();
            log.reopen().with_context(|| format!("{path} can't be opened again"))?;
            done.push(format!("Opened {path} again."));
        }
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
        if !names.is_empty() {
            done.push(format!("Read {} again.", names.join(" and ")));
        }
        Ok(done.join(" "))
    }
}
