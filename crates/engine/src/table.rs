//! Tables: their schema, their settings, their counts, and how they are described and stored.

mod arn;
mod catalog;
mod change;
mod counts;
mod definition;
mod description;
mod key_schema;
mod keys;
mod load;
mod moment;
mod schema;
mod settings;
mod unique_id;
mod usage;

pub use arn::table_name_of_arn;
pub(crate) use catalog::Catalog;
pub(crate) use counts::{CountsByArea, TableCounts};
pub use definition::TableDefinition;
pub(crate) use definition::{decode_table, encode_table};
pub use description::{
    BillingMode, IndexDescription, IndexStatus, ProvisionedThroughput, StreamViewType, TableClass,
    TableDescription, TableStatus, TableStream,
};
pub use key_schema::KeySchema;
pub(crate) use keys::{KeyAttribute, KeySpec};
pub use load::{RestoreSource, TableLoad};
pub(crate) use moment::iso_text;
pub(crate) use schema::{
    Arn, Index, IndexKind, IndexState, Stream, Table, Ttl, close_partition, start_partition,
};
pub(crate) use settings::{CapacitySettings, UNLIMITED};
pub use settings::{
    ContributorInsights, Encryption, InsightsMode, OnDemandThroughput, PointInTimeRecovery,
    ResourcePolicy, WarmThroughput,
};
pub(crate) use unique_id::unique_id;
pub(crate) use usage::{TableUsage, Usage};
