//! What DynamoDB has and this server has not, and the one rule for requests about it:
//!
//! * A question gets the true answer: an empty list, `DISABLED`, or AWS's exception for a thing that
//!   is not there.
//! * A request for what is the case anyway (no encryption keys, recovery disabled) is granted.
//! * Any other request that needs it or would change it is refused with a `ValidationException` that says what
//!   is missing. `UnknownOperationException` is for names that AWS does not know either.

use crate::error::Failure;

/// Something that this server has not.
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
    ContributorInsights,
    ResourcePolicies,
    EncryptionKeys,
    OnDemandLimits,
    WarmThroughput,
    VectorIndexes,
    RecordsByTime,
}

impl Absence {
    /// The refusal of a request that asks for it.
    pub(crate) fn refusal(self) -> Failure {
        Failure::validation(format!("This server {}", self.sentence()))
    }

    fn sentence(self) -> &'static str {
        match self {
            Self::Backups => "makes no backups: copy its data directory instead.",
            Self::PointInTimeRecovery => {
                "has no point-in-time recovery: it can only be disabled, and no table restored."
            }
            Self::GlobalTables => "has no global tables: it is one region.",
            Self::Replicas => "has no replicas: it is one region.",
            Self::ReplicaAutoScaling => "has neither replicas nor auto scaling.",
            Self::Exports => "does not export tables to S3: read them with Scan instead.",
            Self::Imports => {
                "does not import tables from S3: write them with BatchWriteItem instead."
            }
            Self::BulkOperations => {
                "does not read items from S3: write them with BatchWriteItem instead."
            }
            Self::KinesisDestinations => {
                "does not send changes to Kinesis: read them with DynamoDB Streams instead."
            }
            Self::ContributorInsights => "has no contributor insights.",
            Self::ResourcePolicies => "has no resource-based policies.",
            Self::EncryptionKeys => {
                "does not encrypt tables with keys: SSESpecification can only be disabled."
            }
            Self::OnDemandLimits => {
                "does not limit the throughput of tables on demand: leave OnDemandThroughput out."
            }
            Self::WarmThroughput => "has no warm throughput to change: leave WarmThroughput out.",
            Self::VectorIndexes => "has no vector indexes.",
            Self::RecordsByTime => {
                "does not find records by their time: start at TRIM_HORIZON or at a sequence number."
            }
        }
    }
}
