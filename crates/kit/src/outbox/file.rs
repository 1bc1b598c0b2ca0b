//! A mailer that writes e-mails into a directory: for development, demonstrations and tests.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::mailer::{Letter, MailError, Mailer, Mailing};

/// Writes each e-mail to a JSON file of its own. A file is complete or missing, and a repeated
/// e-mail has the same file.
#[derive(Clone, Debug)]
pub struct FileMailer {
    directory: PathBuf,
}

impl FileMailer {
    /// Creates a mailer that writes into a directory, and creates the directory if it does not
    /// exist.
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

/// Creates a file that only its owner can read: e-mails contain addresses, and some contain tokens.
fn private(file: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)
}
