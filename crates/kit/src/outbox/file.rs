//! A mailer that writes e-mails into a directory: for development, demonstrations and tests.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::mailer::{Letter, MailError, Mailer, Mailing};

/// Writes each e-mail into a file of its own, as JSON. A file is whole or not there, and an e-mail that
/// comes again has the same.
#[derive(Clone, Debug)]
pub struct FileMailer {
    directory: PathBuf,
}

impl FileMailer {
    /// A mailer that writes into a directory, and makes it if there is none.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into() }
    }
}

impl Mailer for FileMailer {
    fn deliver<'a>(&'a self, letter: &'a Letter) -> Mailing<'a> {
        let (directory, letter) = (self.directory.clone(), letter.clone());
        Box::pin(async move {
            let written = tokio::task::spawn_blocking(move || write(&directory, &letter)).await;
            match written {
                Ok(Ok(())) => Ok(()),
                Ok(Err(_)) | Err(_) => Err(MailError::Later("the file can't be written")),
            }
        })
    }
}

fn write(directory: &Path, letter: &Letter) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    let name = letter.fingerprint();
    let (draft, file) =
        (directory.join(format!("{name}.draft")), directory.join(format!("{name}.json")));
    private(&draft)?.write_all(&serde_json::to_vec_pretty(letter)?)?;
    fs::rename(draft, file)
}

/// A file that only its owner can read: e-mails tell addresses, and some are as good as a key.
fn private(file: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)
}
