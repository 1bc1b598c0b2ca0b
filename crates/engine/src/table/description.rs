//! The description of a table: schema, settings, state and counts.

use std::collections::BTreeMap;

use monotable_types::{AttributeDefinition, KeySchemaElement, Projection};

use super::load::TableLoad;
use super::settings::{ContributorInsights, OnDemandThroughput, PointInTimeRecovery};

/// How a table is billed on AWS; kept and shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BillingMode {
    /// Provisioned read and write capacity.
    #[default]
    Provisioned,
    /// On demand.
    PayPerRequest,
}

/// Provisioned read and write capacity; kept and shown, not enforced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProvisionedThroughput {
    /// Read units per second.
    pub read_capacity_units: u64,
    /// Write units per second.
    pub write_capacity_units: u64,
}

/// Which images a change record contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamViewType {
    /// Only the key.
    KeysOnly,
    /// The item after the change.
    NewImage,
    /// The item before the change.
    OldImage,
    /// Both.
    NewAndOldImages,
}

/// The storage class; kept and shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableClass {
    /// `STANDARD`.
    #[default]
    Standard,
    /// `STANDARD_INFREQUENT_ACCESS`.
    StandardInfrequentAccess,
}

/// The state of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableStatus {
    /// Just created.
    Creating,
    /// In use.
    Active,
    /// In use while a change takes effect.
    Updating,
    /// Being deleted.
    Deleting,
}

/// The state of a global index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexStatus {
    /// Being filled from the existing items.
    Creating,
    /// In use.
    Active,
    /// Its settings are changing.
    Updating,
    /// Being deleted.
    Deleting,
}

/// One table.
#[derive(Clone, Debug, PartialEq)]
pub struct TableDescription {
    /// Its name.
    pub table_name: String,
    /// Its ARN.
    pub table_arn: String,
    /// Its identity: a new table of the same name has a different one.
    pub table_id: String,
    /// Its state.
    pub table_status: TableStatus,
    /// When it was created, in milliseconds since the epoch.
    pub creation_ms: u64,
    /// The types of all key attributes.
    pub attribute_definitions: Vec<AttributeDefinition>,
    /// Its key.
    pub key_schema: Vec<KeySchemaElement>,
    /// The number of its items.
    pub item_count: u64,
    /// The sum of their sizes by AWS's rule.
    pub table_size_bytes: u64,
    /// How it is billed.
    pub billing_mode: BillingMode,
    /// Provisioned capacity; zero when on demand.
    pub provisioned_throughput: ProvisionedThroughput,
    /// Limits on demand.
    pub on_demand_throughput: OnDemandThroughput,
    /// The throughput that it supports at once.
    pub warm_throughput: ProvisionedThroughput,
    /// The key in KMS that encrypts it; `None` for a key that AWS owns.
    pub kms_key_arn: Option<String>,
    /// Its global indexes.
    pub global_secondary_indexes: Vec<IndexDescription>,
    /// Its local indexes.
    pub local_secondary_indexes: Vec<IndexDescription>,
    /// Its newest stream, also after it was disabled.
    pub stream: Option<TableStream>,
    /// Whether DeleteTable is refused.
    pub deletion_protection: bool,
    /// The storage class.
    pub table_class: TableClass,
    /// Its tags.
    pub tags: BTreeMap<String, String>,
    /// Its Contributor Insights, if they are enabled.
    pub contributor_insights: Option<ContributorInsights>,
    /// Its point-in-time recovery, if it is enabled.
    pub recovery: Option<PointInTimeRecovery>,
    /// The job that fills it or has filled it, if there was one.
    pub load: Option<TableLoad>,
}

/// One index of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexDescription {
    /// Its name.
    pub index_name: String,
    /// Its ARN.
    pub index_arn: String,
    /// Its keys.
    pub key_schema: Vec<KeySchemaElement>,
    /// The attributes that it projects.
    pub projection: Projection,
    /// Its state; local indexes are always active.
    pub index_status: IndexStatus,
    /// Whether it is being filled.
    pub backfilling: bool,
    /// The number of its items.
    pub item_count: u64,
    /// The sum of its entries' sizes by AWS's rule.
    pub index_size_bytes: u64,
    /// Provisioned capacity; zero when on demand.
    pub provisioned_throughput: ProvisionedThroughput,
    /// Limits on demand.
    pub on_demand_throughput: OnDemandThroughput,
    /// The throughput that it supports at once.
    pub warm_throughput: ProvisionedThroughput,
    /// Its Contributor Insights, if they are enabled.
    pub contributor_insights: Option<ContributorInsights>,
}

/// The newest stream of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableStream {
    /// Its ARN.
    pub stream_arn: String,
    /// Its label: the time at which it was enabled.
    pub stream_label: String,
    /// Which images its records contain.
    pub view_type: StreamViewType,
    /// Whether changes are being recorded now.
    pub enabled: bool,
}
