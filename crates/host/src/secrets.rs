//! Secrets in files, for tokens and cursors.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use monotable_kit::{Randomness as _, SystemRandomness};
use sha2::{Digest as _, Sha256};

use crate::error::Error;

/// The file in a data directory with the secret of its cursors.
const CURSOR_FILE: &str = "cursor-secret";
/// The random bytes of a secret; a file with fewer bytes is refused.
const SECRET_BYTES: usize = 32;

/// Returns the key that signs cursors: the same after a restart if there is a directory.
///
/// # Errors
/// Returns the errors of [`kept`].
pub fn cursor_key(directory: Option<&Path>) -> Result<[u8; 32], Error> {
    let secret = match directory {
        Some(directory) => kept(&directory.join(CURSOR_FILE))?,
        None => random(),
    };
    Ok(Sha256::digest(secret).into())
}

/// Reads the secret in a file.
///
/// # Errors
/// Fails if the file can't be read, or its secret is too short.
pub fn read(file: &Path) -> Result<Vec<u8>, Error> {
    let text =
        fs::read(file).map_err(|source| Error::ReadSecret { file: file.to_owned(), source })?;
    let secret = text.trim_ascii();
    if secret.len() < SECRET_BYTES {
        return Err(Error::ShortSecret {
            file: file.to_owned(),
            bytes: secret.len(),
            bytes_min: SECRET_BYTES,
        });
    }
    Ok(secret.to_vec())
}

/// Reads the secret in a file, which is created if it does not exist.
///
/// # Errors
/// Fails if the file can't be created or read, or its secret is too short.
pub fn kept(file: &Path) -> Result<Vec<u8>, Error> {
    if !file.exists() {
        create(file).map_err(|source| Error::CreateSecret { file: file.to_owned(), source })?;
    }
    read(file)
}

/// Returns a new secret as hexadecimal text, so that it survives editors and terminals.
pub fn random() -> Vec<u8> {
    let mut bytes = [0; SECRET_BYTES];
    SystemRandomness.fill(&mut bytes);
    hex::encode(bytes).into_bytes()
}

/// Creates a secret that only its owner can read. If two processes do so at once, one wins, and
/// nobody reads half a secret.
fn create(file: &Path) -> io::Result<()> {
    let draft = file.with_extension(format!("creating-{}", std::process::id()));
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(&draft).and_then(|mut secret| {
        secret.write_all(&random())?;
        secret.sync_all()?;
        fs::hard_link(&draft, file)
    });
    let _ = fs::remove_file(&draft);
    match written {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        written => written,
    }
}
