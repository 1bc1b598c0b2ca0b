//! How services send e-mail.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use clap::Args;
use monotable_host::SmtpMailer;
use monotable_kit::outbox::{FileMailer, Mailer};

/// The folder in the data directory that e-mails are written to, one file each.
const MAIL_DIRECTORY: &str = "mail";

#[derive(Args)]
#[command(next_help_heading = "Services")]
pub(crate) struct MailArguments {
    /// Send e-mails through this mail server: smtps://USER@HOST, or smtp://USER@HOST?tls=required
    /// for STARTTLS [default: e-mails are files in the folder mail in the data directory]
    #[arg(long, value_name = "URL", requires = "mail_from")]
    smtp: Option<String>,
    /// The password of the mail server's user, in a file
    #[arg(long, value_name = "FILE", requires = "smtp")]
    smtp_password_file: Option<PathBuf>,
    /// The sender of e-mails, such as "3FC <league@example.org>"
    #[arg(long, value_name = "ADDRESS", requires = "smtp")]
    mail_from: Option<String>,
}

impl MailArguments {
    pub(crate) fn is_given(&self) -> bool {
        self.smtp.is_some()
    }

    /// Returns the mailer of a server with this data directory; `None` if e-mails must wait, because there is
    /// neither a mail server nor a directory.
    ///
    /// # Errors
    /// Fails if the settings are invalid.
    pub(crate) fn mailer(&self, directory: Option<&Path>) -> Result<Option<Arc<dyn Mailer>>> {
        let (Some(url), Some(sender)) = (&self.smtp, &self.mail_from) else {
            return Ok(directory.map(|directory| -> Arc<dyn Mailer> {
                Arc::new(FileMailer::new(directory.join(MAIL_DIRECTORY)))
            }));
        };
        let password = match &self.smtp_password_file {
            Some(file) => {
                let text = std::fs::read_to_string(file).with_context(|| {
                    format!("--smtp-password-file {} can't be read", file.display())
                })?;
                Some(text.trim_end_matches(['\r', '\n']).to_owned())
            }
            None => None,
        };
        // The URL may contain a password, so it is not repeated.
        let mailer = SmtpMailer::new(url, password.as_deref(), sender)
            .context("--smtp and --mail-from can't be used")?;
        Ok(Some(Arc::new(mailer)))
    }
}
