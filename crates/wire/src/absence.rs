//! What DynamoDB has and this server lacks, and the one rule for requests about it:
//!
//! * A query about it gets a true response: an empty list, `DISABLED`, or AWS's exception for a thing that does
//!   not exist.
//! * A request for what is the case anyway (recovery disabled) is granted.
//! * Any other request that needs it or would change it is refused with a `ValidationException` that names what
//!   is not supported. `UnknownOperationException` is for names that AWS does not know either.

use crate::error::Failure;

/// Something that this server lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absence {
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

impl Absence {
    /// The refusal of a request that asks for it. Clients recognise a missing feature by the words
    /// "is not supported".
    pub(crate) fn refusal(self) -> Failure {
        let (what, instead) = self.words();
        Failure::validation(format!("{what} is not supported by this server: {instead}"))
    }

    /// What it is, and what to do instead.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Backups => {
                ("Creating and restoring backups", "stop it and copy its data directory instead.")
            }
            Self::PointInTimeRecovery => {
                ("Point-in-time recovery", "it can only be disabled, and no table restored.")
            }
            Self::GlobalTables => ("A global table", "it is one region."),
            Self::Replicas => ("A replica in another region", "it is one region."),
            Self::ReplicaAutoScaling => {
                ("Auto scaling of replicas", "it has neither replicas nor auto scaling.")
            }
            Self::Exports => ("Exporting a table to S3", "read the table with Scan instead."),
            Self::Imports => {
                ("Importing a table from S3", "write the table with BatchWriteItem instead.")
            }
            Self::BulkOperations => {
                ("Reading items from S3", "write them with BatchWriteItem instead.")
            }
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
