//! Monotable: a single-table design as one Rust program, with DynamoDB's semantics.
//!
//! The crate gathers what an application needs and owns nothing itself: the database that runs in
//! the same process (feature `embedded`, on by default), the values that it stores, and the
//! expressions of its requests as Rust values in [`expression`].
//!
#![cfg_attr(feature = "embedded", doc = "```")]
#![cfg_attr(not(feature = "embedded"), doc = "```ignore")]
//! use monotable::expression::{begins_with, key, path};
//! use monotable::{CreateTable, Database, Error, IndexDefinition, PutItem, Query, item};
//!
//! // In memory; `Database::open("./monotable-data", Options::default())?` keeps it on disk.
//! let db = Database::memory();
//! db.create_table(
//!     CreateTable::new("league")
//!         .partition_key("PK", "S")?
//!         .sort_key("SK", "S")?
//!         .attribute("GSI1PK", "S")?
//!         .attribute("GSI1SK", "S")?
//!         .global_index(IndexDefinition::new("GSI1", &["GSI1PK"], &["GSI1SK"])),
//! )?;
//!
//! // Requests are DynamoDB's, and so are their expressions as text …
//! let game = item! {
//!     "PK" => "GAME#9", "SK" => "METADATA", "opponent" => "Portland Pioneers",
//!     "GSI1PK" => "TEAM#1", "GSI1SK" => "GAME#9",
//! };
//! let create = PutItem::new("league", game).condition("attribute_not_exists(PK)");
//! db.put_item(create.clone())?;
//! assert!(matches!(db.put_item(create), Err(Error::ConditionalCheckFailed { .. })));
//!
//! // … or as trees, which need no placeholders.
//! let games = Query::new("league")
//!     .index("GSI1")
//!     .key_condition(key("GSI1PK").eq("TEAM#1").and(key("GSI1SK").begins_with("GAME#")))
//!     .filter(begins_with("opponent", "Portland").and(path("score").not_exists()));
//! assert_eq!(db.query(games)?.count, 1);
//! # Ok::<(), Error>(())
//! ```
//!
//! `examples/team_roster.rs` runs a whole design: `cargo run --example team_roster -p monotable`.

pub use monotable_types::{
    AttributeDefinition, AttributeValue, Item, KeySchemaElement, KeyType, Number, NumberError,
    Projection, ScalarType, Set, SetError, TypeName, item, item_size_bytes, limits, list, map,
    number, set,
};

#[cfg(feature = "embedded")]
pub use monotable_engine::{
    BatchGetItem, BatchGetItemOutput, BatchWriteItem, BatchWriteItemOutput, BillingMode,
    CancellationReason, Capacity, CheckReport, Clock, ConditionCheck, Consistency,
    ConsumedCapacity, Container, CreateTable, CreateTableOutput, Database, DeleteItem,
    DeleteItemOutput, DeleteTable, DeleteTableOutput, DescribeStream, DescribeStreamOutput,
    DescribeTable, DescribeTableOutput, DescribeTimeToLive, DescribeTimeToLiveOutput, Direction,
    Durability, Error, Expression, Faults, GetItem, GetItemOutput, GetRecords, GetRecordsOutput,
    GetShardIterator, GetShardIteratorOutput, Histogram, HotPartition, IndexDefinition,
    IndexDescription, IndexStatistics, IndexStatus, IndexUpdate, ItemCollectionMetrics,
    ItemVisitor, KeySchema, KeysAndAttributes, ListStreams, ListStreamsOutput, ListTables,
    ListTablesOutput, ListTagsOfResource, ListTagsOfResourceOutput, Maintenance, ManualClock,
    Options, PartitionLimits, Pending, ProvisionedThroughput, PutItem, PutItemOutput, Query,
    QueryOutput, ReadItem, Result, ReturnConsumedCapacity, ReturnItemCollectionMetrics,
    ReturnOnConditionFailure, ReturnValues, Scan, ScanOutput, Segment, Select, Shard,
    ShardIteratorType, Statistics, StreamEvent, StreamOrigin, StreamRecord, StreamStatus,
    StreamSummary, StreamUpdate, StreamViewType, Substitutions, SystemClock, TableClass,
    TableDescription, TableStatistics, TableStatus, TableStream, TagResource, TransactGet,
    TransactGetItems, TransactGetItemsOutput, TransactWrite, TransactWriteItems,
    TransactWriteItemsOutput, UntagResource, UpdateItem, UpdateItemOutput, UpdateTable,
    UpdateTableOutput, UpdateTimeToLive, UpdateTimeToLiveOutput, WriteOperation, WriteRequest,
    visit_item, visit_value,
};

/// Expressions as Rust values: conditions, key conditions, projections and updates, built, parsed
/// from DynamoDB's text, and printed back to it.
///
/// ```
/// use monotable::expression::{Update, path};
/// use monotable::item;
///
/// let update = Update::new().set("status", "FINAL").add("wins", 1);
/// let mut team = item! { "status" => "IN_PROGRESS" };
/// assert!(path("status").ne("FINAL").evaluate(&team));
/// update.apply(&mut team)?;
/// assert_eq!(team, item! { "status" => "FINAL", "wins" => 1 });
/// # Ok::<(), monotable::expression::UpdateError>(())
/// ```
pub mod expression {
    pub use monotable_expression::*;
}
