//! Features of DynamoDB that this server does not support, and the rule for requests about them:
//!
//! * A request that asks about such a feature gets a valid empty result: an empty list, `DISABLED`,
//!   or AWS's exception for a missing resource.
//! * A request for a state that already holds (disable recovery) succeeds.
//! * Any other request that needs or changes the feature gets a `ValidationException` that names
//!   the unsupported feature. `UnknownOperationException` is only for names that AWS does not know
//!   either.

use crate::error::Failure;

/// A feature of DynamoDB that this server does not support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnsupportedFeature {
    Backups,
    PointInTimeRecovery,
    GlobalTables,
    Replicas,
    ReplicaAutoScaling,
    Exports,
    Imports,
    BulkOperations,
    KinesisDestinations,
    VectorIndexes,
    RecordsByTime,
}

impl UnsupportedFeature {
    /// Returns the error for a request that needs the feature. Clients recognise a missing feature
    /// by the words "is not supported".
    pub(crate) fn refusal(self) -> Failure {
        let (what, instead) = self.words();
        Failure::validation(format!("{what} is not supported by this server: {instead}"))
    }

    /// Returns the name of the feature, and what to do instead.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Backups => ("Creating and restoring backups", "it has no place for them."),
            Self::PointInTimeRecovery => ("Point-in-time recovery", "it keeps no log of commits."),
            Self::GlobalTables => ("A global table", "it is one region."),
            Self::Replicas => ("A replica in another region", "it is one region."),
            Self::ReplicaAutoScaling => {
                ("Auto scaling of replicas", "it has neither replicas nor auto scaling.")
            }
            Self::Exports => ("Exporting a table to S3", "it does no jobs."),
            Self::Imports => ("Importing a table from S3", "it does no jobs."),
            Self::BulkOperations => ("Reading items from S3", "it does no jobs."),
            Self::KinesisDestinations => {
                ("Sending changes to Kinesis", "read them with DynamoDB Streams instead.")
            }
            Self::VectorIndexes => {
                ("A vector index", "use a global or local secondary index instead.")
            }
            Self::RecordsByTime => (
                "Finding records by their time",
                "start at TRIM_HORIZON or at a sequence number instead.",
            ),
        }
    }
}
