//! Errors of hosting: why services can't be opened.

use std::io;
use std::path::PathBuf;

use monotable_kit::Problem;

/// Any error of a service, for people to read.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The reason why services can't be hosted.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A service can't be opened.
    #[error("the service {service} can't be opened")]
    Open {
        /// The name of the service.
        service: &'static str,
        /// The error of the service.
        source: BoxError,
    },
    /// A service refuses the value of an option, or can't load its sample data.
    #[error(transparent)]
    Service(BoxError),
    /// A thread for background work can't be started.
    #[error("the background work of {service} can't be started")]
    Thread {
        /// The name of the service.
        service: &'static str,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A service encrypts personal data and has no key for it.
    #[error("personal data is encrypted, and there is no key for it")]
    NoFieldKeys,
    /// A file with a secret can't be read.
    #[error("the secret {} can't be read", file.display())]
    ReadSecret {
        /// The file.
        file: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A file with a secret can't be created.
    #[error("the secret {} can't be created", file.display())]
    CreateSecret {
        /// The file.
        file: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A secret is short enough to be guessed.
    #[error(
        "the secret in {} has {bytes} bytes; write at least {bytes_min} random ones to the file",
        file.display()
    )]
    ShortSecret {
        /// The file.
        file: PathBuf,
        /// The bytes in it.
        bytes: usize,
        /// The bytes that it must have.
        bytes_min: usize,
    },
}

/// Converts a problem of a request into an error of the service: a problem by itself is no `Error`.
pub fn problem_error(problem: Problem) -> BoxError {
    problem.message.into()
}

/// Returns the text of an error and of everything that caused it.
pub(crate) fn with_causes(error: &BoxError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text += &format!(": {error}");
        cause = error.source();
    }
    text
}
