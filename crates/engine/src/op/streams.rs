//! ListStreams, DescribeStream, GetShardIterator and GetRecords: reading change records.

mod describe_stream;
mod get_records;
mod get_shard_iterator;
mod iterator;
mod list_streams;
mod place;

use monotable_types::{Item, KeySchemaElement};

use crate::table::StreamViewType;

/// Lists the streams of one table, or all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListStreams {
    /// Only streams of this table.
    pub table_name: Option<String>,
    /// 1 to 100 streams per page.
    pub limit: Option<u32>,
    /// Continue after this stream.
    pub exclusive_start_stream_arn: Option<String>,
}

/// The response to a [`ListStreams`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListStreamsOutput {
    /// The streams.
    pub streams: Vec<StreamSummary>,
    /// Where the next page starts; `None` at the end.
    pub last_evaluated_stream_arn: Option<String>,
}

/// The names of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamSummary {
    /// Its ARN.
    pub stream_arn: String,
    /// Its label.
    pub stream_label: String,
    /// Its table.
    pub table_name: String,
}

/// Describes one stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DescribeStream {
    /// The stream's ARN.
    pub stream_arn: String,
    /// 1 to 100 shards per page.
    pub limit: Option<u32>,
    /// Continue after this shard.
    pub exclusive_start_shard_id: Option<String>,
    /// Only the children of this shard (`ShardFilter` of type `CHILD_SHARDS`).
    pub parent_shard_id: Option<String>,
}

/// Whether a stream still records changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamStatus {
    /// Records changes.
    Enabled,
    /// No longer records changes; existing records stay readable for 24 hours.
    Disabled,
}

/// The response to a [`DescribeStream`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribeStreamOutput {
    /// Its names.
    pub summary: StreamSummary,
    /// Its state.
    pub status: StreamStatus,
    /// Which images its records contain.
    pub view_type: StreamViewType,
    /// When it was enabled, in milliseconds since the epoch.
    pub creation_ms: u64,
    /// The table's key.
    pub key_schema: Vec<KeySchemaElement>,
    /// Its shards.
    pub shards: Vec<Shard>,
    /// Where the next page of shards starts; `None` at the end.
    pub last_evaluated_shard_id: Option<String>,
}

/// A shard: one ordered sequence of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Its id.
    pub shard_id: String,
    /// The first sequence number it can have.
    pub starting_sequence_number: String,
    /// The last one, once the stream is disabled.
    pub ending_sequence_number: Option<String>,
}

/// Where an iterator starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShardIteratorType {
    /// The oldest record kept.
    TrimHorizon,
    /// After the newest record.
    Latest,
    /// At this sequence number.
    AtSequenceNumber(String),
    /// After this sequence number.
    AfterSequenceNumber(String),
}

/// Requests an iterator for a position in a shard.
///
/// ```
/// use monotable_engine::{CreateTable, Database, DescribeStream, GetRecords, GetShardIterator};
/// use monotable_engine::{PutItem, ShardIteratorType, StreamEvent, StreamViewType, item};
///
/// let db = Database::memory();
/// let league = CreateTable::new("league").partition_key("PK", "S")?;
/// let league = db.create_table(league.stream(StreamViewType::NewImage))?.table_description;
/// db.put_item(PutItem::new("league", item! { "PK" => "TEAM#1" }))?;
///
/// let stream_arn = league.stream.expect("it was just enabled").stream_arn;
/// let stream = db.describe_stream(DescribeStream::new(stream_arn.clone()))?;
/// let iterator = db.get_shard_iterator(GetShardIterator {
///     stream_arn,
///     shard_id: stream.shards[0].shard_id.clone(),
///     iterator_type: ShardIteratorType::TrimHorizon,
/// })?;
/// let records = db.get_records(GetRecords::new(iterator.shard_iterator))?.records;
/// assert_eq!(records[0].event, StreamEvent::Insert);
/// assert_eq!(records[0].new_image, Some(item! { "PK" => "TEAM#1" }));
/// # Ok::<(), monotable_engine::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GetShardIterator {
    /// The stream's ARN.
    pub stream_arn: String,
    /// The shard.
    pub shard_id: String,
    /// The position to start at.
    pub iterator_type: ShardIteratorType,
}

/// The response to a [`GetShardIterator`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GetShardIteratorOutput {
    /// The iterator, valid for 15 minutes.
    pub shard_iterator: String,
}

/// Reads records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GetRecords {
    /// An iterator from [`GetShardIterator`] or a previous [`GetRecords`].
    pub shard_iterator: String,
    /// 1 to 1000 records.
    pub limit: Option<u32>,
}

/// The response to a [`GetRecords`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GetRecordsOutput {
    /// The records, oldest first.
    pub records: Vec<StreamRecord>,
    /// Where to continue; `None` after the end of a disabled stream.
    pub next_shard_iterator: Option<String>,
}

/// What happened to the item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamEvent {
    /// A new item.
    Insert,
    /// A changed item.
    Modify,
    /// A removed item.
    Remove,
}

/// The cause of a removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamOrigin {
    /// A request.
    Request,
    /// The expiry sweep (`userIdentity` of the DynamoDB service).
    TimeToLive,
}

/// One change record.
#[derive(Clone, Debug, PartialEq)]
pub struct StreamRecord {
    /// The event.
    pub event: StreamEvent,
    /// Its cause.
    pub origin: StreamOrigin,
    /// The time, in milliseconds since the epoch.
    pub creation_ms: u64,
    /// The position of the record in its shard. The width is fixed, so records sort like their
    /// numbers.
    pub sequence_number: String,
    /// The item's primary key.
    pub keys: Item,
    /// The item before, if the stream stores it.
    pub old_image: Option<Item>,
    /// The item after, if the stream stores it.
    pub new_image: Option<Item>,
    /// The size of keys and images by AWS's rule.
    pub size_bytes: u64,
    /// Which images the stream stores.
    pub view_type: StreamViewType,
}
