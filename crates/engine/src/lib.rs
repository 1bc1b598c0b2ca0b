//! The embedded database of Monotable: DynamoDB semantics in process, durable, indexed and
//! transactional.
//!
//! ```
//! use monotable_engine::{CreateTable, Database, PutItem, Query, item};
//!
//! let db = Database::memory(); // or Database::open("./monotable-data", Options::default())?
//! db.create_table(CreateTable::new("league").partition_key("PK", "S")?.sort_key("SK", "S")?)?;
//! for player in ["PLAYER#7", "PLAYER#12"] {
//!     db.put_item(PutItem::new("league", item! { "PK" => "TEAM#1", "SK" => player }))?;
//! }
//! let roster = Query::new("league")
//!     .key_condition("PK = :team AND begins_with(SK, :player)")
//!     .value(":team", "TEAM#1")
//!     .value(":player", "PLAYER#");
//! assert_eq!(db.query(roster)?.count, 2);
//! # Ok::<(), monotable_engine::Error>(())
//! ```
//!
//! The engine knows no HTTP and no JSON, and takes the time from an injected [`Clock`]. The path of
//! a write: [`op`](PutItem) checks the request, `write` turns before and after into rows, `commit`
//! makes them durable, `store` keeps them. `docs/format.md` describes every byte.

mod check;
mod clock;
mod commit;
mod damage;
mod database;
mod error;
mod faults;
mod layout;
mod op;
mod open;
mod options;
mod read;
mod snapshot;
mod statistics;
mod store;
mod stored;
mod stream;
mod sweep;
mod system;
mod table;
mod validate;
mod visit;
mod write;

#[doc(hidden)]
pub mod fuzzing;

pub use check::{CheckReport, DirectoryReport};
pub use clock::{Clock, ManualClock, SystemClock};
pub use commit::Pending;
pub use damage::{Damage, ScrubReport};
pub use database::{Database, Maintenance, WriteOperation};
pub use error::{CancellationReason, Error, Result};
pub use faults::{Faults, PartitionLimits};
pub use monotable_types::{
    AttributeDefinition, AttributeValue, Item, KeySchemaElement, KeyType, Number, Projection,
    ScalarType, Set, item, list, map, set,
};
pub use op::batch_get_item::{BatchGetItem, BatchGetItemOutput, KeysAndAttributes};
pub use op::batch_write_item::{BatchWriteItem, BatchWriteItemOutput, WriteRequest};
pub use op::capacity::{Capacity, ConsumedCapacity, ItemCollectionMetrics};
pub use op::continuous_backups::UpdateContinuousBackups;
pub use op::contributor_insights::{UpdateContributorInsights, UpdateContributorInsightsOutput};
pub use op::create_table::{CreateTable, CreateTableOutput, IndexDefinition};
pub use op::delete_item::{DeleteItem, DeleteItemOutput};
pub use op::delete_table::{DeleteTable, DeleteTableOutput};
pub use op::describe_table::{DescribeTable, DescribeTableOutput, ListTables, ListTablesOutput};
pub use op::get_item::{GetItem, GetItemOutput};
pub use op::item_filter::{ItemFilter, ItemFilterExpressions};
pub use op::load::{BeginLoad, EndLoad, LoadRow, Loader};
pub use op::put_item::{PutItem, PutItemOutput};
pub use op::query::{Direction, Query, QueryOutput, Select};
pub use op::records::{RecordChange, WriteRecords};
pub use op::request::{
    Consistency, Expression, ReturnConsumedCapacity, ReturnItemCollectionMetrics,
    ReturnOnConditionFailure, ReturnValues, Substitutions,
};
pub use op::resource_policy::{
    DeleteResourcePolicy, DeleteResourcePolicyOutput, GetResourcePolicy, GetResourcePolicyOutput,
    PutResourcePolicy, PutResourcePolicyOutput,
};
pub use op::scan::{Scan, ScanOutput, Segment};
pub use op::streams::{
    DescribeStream, DescribeStreamOutput, GetRecords, GetRecordsOutput, GetShardIterator,
    GetShardIteratorOutput, ListStreams, ListStreamsOutput, Shard, ShardIteratorType, StreamEvent,
    StreamOrigin, StreamRecord, StreamStatus, StreamSummary,
};
pub use op::tags::{ListTagsOfResource, ListTagsOfResourceOutput, TagResource, UntagResource};
pub use op::time_to_live::{
    DescribeTimeToLive, DescribeTimeToLiveOutput, UpdateTimeToLive, UpdateTimeToLiveOutput,
};
pub use op::transact_get_items::{TransactGet, TransactGetItems, TransactGetItemsOutput};
pub use op::transact_write_items::{
    ConditionCheck, TransactWrite, TransactWriteItems, TransactWriteItemsOutput,
};
pub use op::update_item::{UpdateItem, UpdateItemOutput};
pub use op::update_table::{IndexUpdate, StreamUpdate, UpdateTable, UpdateTableOutput};
pub use options::{Durability, Options};
pub use snapshot::{DatabaseSnapshot, TableRow, TableSnapshot};
pub use statistics::{Histogram, HotPartition, IndexStatistics, Statistics, TableStatistics};
pub use store::{Compaction, History, LogBeginning, LoggedChange, LoggedCommit, Unfinished};
pub use stored::ReadItem;
pub use table::{
    BillingMode, ContributorInsights, Encryption, IndexDescription, IndexStatus, InsightsMode,
    KeySchema, OnDemandThroughput, PointInTimeRecovery, ProvisionedThroughput, ResourcePolicy,
    RestoreSource, StreamViewType, TableClass, TableDefinition, TableDescription, TableLoad,
    TableStatus, TableStream, WarmThroughput, table_name_of_arn,
};
pub use visit::{Container, ItemVisitor, visit_item, visit_value};
