//! Why a request about backups, exports or imports was refused, with AWS's exception names.

use monotable_engine::Error as EngineError;
use thiserror::Error as ThisError;

/// The result of a request.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a request was refused, or a job failed. `Display` gives DynamoDB's message, [`Error::code`] its exception name.
#[derive(Clone, Debug, PartialEq, ThisError)]
pub enum Error {
    /// A rule of AWS's is broken, with its exception.
    #[error("{message}")]
    Refused {
        /// Which exception it is.
        kind: Refusal,
        /// What is wrong.
        message: String,
    },
    /// What the engine says.
    #[error("{0}")]
    Engine(#[from] EngineError),
    /// A file can't be read or written.
    #[error("{0}")]
    Io(String),
    /// A backup or an export is damaged; nothing of it is used.
    #[error("damaged: {0}")]
    Damaged(String),
    /// The job was told to stop, and goes on when the database is opened again.
    #[error("the job was interrupted")]
    Interrupted,
}

/// AWS's exceptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// `ValidationException`
    Validation,
    /// `TableNotFoundException`
    TableNotFound,
    /// `TableAlreadyExistsException`
    TableAlreadyExists,
    /// `TableInUseException`
    TableInUse,
    /// `BackupNotFoundException`
    BackupNotFound,
    /// `BackupInUseException`
    BackupInUse,
    /// `LimitExceededException`
    LimitExceeded,
    /// `ExportNotFoundException`
    ExportNotFound,
    /// `ExportConflictException`
    ExportConflict,
    /// `InvalidExportTimeException`
    InvalidExportTime,
    /// `InvalidRestoreTimeException`
    InvalidRestoreTime,
    /// `ContinuousBackupsUnavailableException`
    ContinuousBackupsUnavailable,
    /// `PointInTimeRecoveryUnavailableException`
    RecoveryUnavailable,
    /// `ImportNotFoundException`
    ImportNotFound,
    /// `ImportConflictException`
    ImportConflict,
    /// `IdempotentParameterMismatchException`
    TokenMismatch,
    /// `ResourceNotFoundException`
    ResourceNotFound,
    /// `ResourceInUseException`
    ResourceInUse,
}

impl Refusal {
    /// The refusal with its text.
    pub(crate) fn with(self, message: impl Into<String>) -> Error {
        Error::Refused { kind: self, message: message.into() }
    }

    /// AWS's name of the exception.
    pub fn code(self) -> &'static str {
        match self {
            Self::Validation => "ValidationException",
            Self::TableNotFound => "TableNotFoundException",
            Self::TableAlreadyExists => "TableAlreadyExistsException",
            Self::TableInUse => "TableInUseException",
            Self::BackupNotFound => "BackupNotFoundException",
            Self::BackupInUse => "BackupInUseException",
            Self::LimitExceeded => "LimitExceededException",
            Self::ExportNotFound => "ExportNotFoundException",
            Self::ExportConflict => "ExportConflictException",
            Self::InvalidExportTime => "InvalidExportTimeException",
            Self::InvalidRestoreTime => "InvalidRestoreTimeException",
            Self::ContinuousBackupsUnavailable => "ContinuousBackupsUnavailableException",
            Self::RecoveryUnavailable => "PointInTimeRecoveryUnavailableException",
            Self::ImportNotFound => "ImportNotFoundException",
            Self::ImportConflict => "ImportConflictException",
            Self::TokenMismatch => "IdempotentParameterMismatchException",
            Self::ResourceNotFound => "ResourceNotFoundException",
            Self::ResourceInUse => "ResourceInUseException",
        }
    }
}

impl Error {
    /// DynamoDB's name for the error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Refused { kind, .. } => kind.code(),
            Self::Engine(error) => error.code(),
            Self::Io(_) | Self::Damaged(_) | Self::Interrupted => "InternalServerError",
        }
    }

    /// A file operation that failed.
    pub(crate) fn io(path: &std::path::Path, what: &str, error: &std::io::Error) -> Self {
        Self::Io(format!("{} can't be {what}: {error}", path.display()))
    }
}

/// No such table, in the words of the operations around backups.
pub(crate) fn table_not_found(name: &str) -> Error {
    Refusal::TableNotFound.with(format!("Table not found: {name}"))
}

/// Earlier times of a table can't be restored or exported.
pub(crate) fn recovery_unavailable(name: &str) -> Error {
    Refusal::RecoveryUnavailable
        .with(format!("Point in time recovery is not enabled for table '{name}'"))
}
