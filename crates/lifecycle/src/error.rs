//! The errors of requests about backups, exports and imports, with AWS's exception names.

use monotable_engine::Error as EngineError;
use thiserror::Error as ThisError;

/// The result of a request.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The error of a request or a job. `Display` returns DynamoDB's message, [`Error::code`] its
/// exception name.
#[derive(Clone, Debug, PartialEq, ThisError)]
pub enum Error {
    /// The request breaks one of AWS's rules.
    #[error("{message}")]
    Refused {
        /// The exception.
        kind: Refusal,
        /// The message.
        message: String,
    },
    /// An error of the engine.
    #[error("{0}")]
    Engine(#[from] EngineError),
    /// A file can't be read or written.
    #[error("{0}")]
    Io(String),
    /// A backup or an export is damaged; no part of it is used.
    #[error("damaged: {0}")]
    Damaged(String),
    /// The job was stopped; it continues when the database is opened again.
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
    /// Creates the error with a message.
    pub(crate) fn with(self, message: impl Into<String>) -> Error {
        Error::Refused { kind: self, message: message.into() }
    }

    /// Returns AWS's name of the exception.
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

    /// Creates the error of a failed file operation.
    pub(crate) fn io(path: &std::path::Path, what: &str, error: &std::io::Error) -> Self {
        Self::Io(format!("{} can't be {what}: {error}", path.display()))
    }
}

/// Creates the error for a missing table, with the message of the operations for backups.
pub(crate) fn table_not_found(name: &str) -> Error {
    Refusal::TableNotFound.with(format!("Table not found: {name}"))
}

/// Returns the error of a table whose earlier times can't be restored or exported.
pub(crate) fn recovery_unavailable(name: &str) -> Error {
    Refusal::RecoveryUnavailable
        .with(format!("Point in time recovery is not enabled for table '{name}'"))
}
