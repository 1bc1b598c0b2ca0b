//! Change records from the write to the reader, and back to nothing after 24 hours.

mod reading;
mod retention;

use std::sync::Arc;

use monotable_engine::{
    CreateTable, Database, DeleteItem, DescribeStream, DescribeStreamOutput, DescribeTable,
    GetRecords, GetRecordsOutput, GetShardIterator, Item, ListStreams, ManualClock, Options,
    PutItem, Result, ShardIteratorType, StreamEvent, StreamOrigin, StreamRecord, StreamStatus,
    StreamUpdate, StreamViewType, TransactWriteItems, UpdateItem, UpdateTable, item,
};

const HOUR_MS: u64 = 60 * 60 * 1000;
const START_MS: u64 = 1_791_500_851_275;

/// A database with a table `teams` that has a stream, and the clock that it lives by.
struct World {
    database: Database,
    clock: Arc<ManualClock>,
}

impl World {
    fn new(view_type: StreamViewType) -> Self {
        let clock = Arc::new(ManualClock::new(START_MS));
        let options = Options { clock: Arc::<ManualClock>::clone(&clock), ..Options::default() };
        let database = Database::memory_with(options);
        let table = CreateTable::new("teams").partition_key("PK", "S").unwrap();
        database.create_table(table.stream(view_type)).unwrap();
        Self { database, clock }
    }

    fn put(&self, item: Item) {
        self.database.put_item(PutItem::new("teams", item)).unwrap();
    }

    fn put_numbers(&self, numbers: std::ops::Range<u32>) {
        numbers.for_each(|number| self.put(item! { "PK" => number.to_string() }));
    }

    fn arn(&self) -> String {
        let table = self.database.describe_table(DescribeTable::new("teams")).unwrap().table;
        table.stream.unwrap().stream_arn
    }

    fn describe(&self, arn: &str) -> DescribeStreamOutput {
        self.database.describe_stream(DescribeStream::new(arn)).unwrap()
    }

    fn iterator(&self, arn: &str, iterator_type: ShardIteratorType) -> Result<String> {
        let shard_id = self.describe(arn).shards[0].shard_id.clone();
        let stream_arn = arn.to_owned();
        let request = GetShardIterator { stream_arn, shard_id, iterator_type };
        Ok(self.database.get_shard_iterator(request)?.shard_iterator)
    }

    fn read(&self, iterator: &str, limit: Option<u32>) -> Result<GetRecordsOutput> {
        self.database.get_records(GetRecords { limit, ..GetRecords::new(iterator) })
    }

    /// Every record that is kept.
    fn records(&self, arn: &str) -> Vec<StreamRecord> {
        let iterator = self.iterator(arn, ShardIteratorType::TrimHorizon).unwrap();
        self.read(&iterator, None).unwrap().records
    }

    fn update_stream(&self, update: StreamUpdate) -> Result<()> {
        self.database.update_table(UpdateTable::new("teams").stream(update)).map(drop)
    }
}

fn keys(records: &[StreamRecord]) -> Vec<String> {
    records.iter().map(|record| record.keys["PK"].as_s().unwrap().to_owned()).collect()
}

fn check_error<T: std::fmt::Debug>(outcome: Result<T>, code: &str, message: &str) {
    let error = outcome.unwrap_err();
    assert_eq!((error.code(), error.to_string().as_str()), (code, message));
}

#[test]
fn a_stream_records_what_happened() {
    let world = World::new(StreamViewType::NewAndOldImages);
    world.put(item! { "PK" => "a", "n" => 1 });
    let key = item! { "PK" => "a" };
    let update = UpdateItem::new("teams", key.clone()).update("ADD n :one").value(":one", 1);
    world.database.update_item(update).unwrap();
    // Writes that change nothing leave no record.
    world.put(item! { "PK" => "a", "n" => 2 });
    world.database.delete_item(DeleteItem::new("teams", item! { "PK" => "b" })).unwrap();
    world.clock.advance_ms(5);
    world.database.delete_item(DeleteItem::new("teams", key.clone())).unwrap();

    let records = world.records(&world.arn());
    let (one, two) = (item! { "PK" => "a", "n" => 1 }, item! { "PK" => "a", "n" => 2 });
    let seen: Vec<_> = records
        .iter()
        .map(|record| (record.event, record.old_image.clone(), record.new_image.clone()))
        .collect();
    assert_eq!(
        seen,
        [
            (StreamEvent::Insert, None, Some(one.clone())),
            (StreamEvent::Modify, Some(one), Some(two.clone())),
            (StreamEvent::Remove, Some(two), None),
        ]
    );
    assert!(records.iter().all(|record| record.keys == key));
    assert!(records.iter().all(|record| record.origin == StreamOrigin::Request));
    assert_eq!(records[2].creation_ms, START_MS + 5);
    assert_eq!(records[1].size_bytes, 3 + 6 + 6);
    assert!(records.is_sorted_by_key(|record| record.sequence_number.clone()));
    assert!(records.iter().all(|record| record.sequence_number.len() == 21));
}

#[test]
fn the_view_type_says_which_images_are_kept() {
    let images = [
        (StreamViewType::KeysOnly, false, false),
        (StreamViewType::NewImage, false, true),
        (StreamViewType::OldImage, true, false),
        (StreamViewType::NewAndOldImages, true, true),
    ];
    for (view_type, with_old, with_new) in images {
        let world = World::new(view_type);
        world.put(item! { "PK" => "a", "n" => 1 });
        world.put(item! { "PK" => "a", "n" => 2 });
        let records = world.records(&world.arn());
        assert_eq!(records[1].view_type, view_type);
        assert_eq!(records[0].old_image, None);
        assert_eq!(records[1].old_image.is_some(), with_old);
        assert_eq!(records[1].new_image.is_some(), with_new);
    }
}

#[test]
fn a_transaction_is_recorded_whole_or_not_at_all() {
    let world = World::new(StreamViewType::KeysOnly);
    let put = |key: &str| PutItem::new("teams", item! { "PK" => key });
    let guarded = put("c").condition("attribute_exists(PK)");
    let failing = TransactWriteItems::new().action(put("a")).action(guarded);
    assert!(world.database.transact_write_items(failing).is_err());
    let both = TransactWriteItems::new().action(put("a")).action(put("b"));
    world.database.transact_write_items(both).unwrap();
    assert_eq!(keys(&world.records(&world.arn())), ["a", "b"]);
}

#[test]
fn a_stream_is_described_and_listed() {
    let world = World::new(StreamViewType::KeysOnly);
    let arn = world.arn();
    assert_eq!(
        arn,
        "arn:aws:dynamodb:us-east-1:123456789012:table/teams/stream/2026-10-08T23:07:31.275"
    );
    let stream = world.describe(&arn);
    assert_eq!(stream.status, StreamStatus::Enabled);
    assert_eq!(stream.view_type, StreamViewType::KeysOnly);
    assert_eq!(stream.creation_ms, START_MS);
    assert_eq!(stream.key_schema.len(), 1);
    assert_eq!(stream.shards.len(), 1);
    assert_eq!(stream.shards[0].ending_sequence_number, None);
    let streams = world.database.list_streams(ListStreams::default()).unwrap().streams;
    assert_eq!(streams, [stream.summary]);
}

#[test]
fn streams_are_listed_page_by_page() {
    let world = World::new(StreamViewType::KeysOnly);
    for name in ["bees", "ants"] {
        let table = CreateTable::new(name).partition_key("PK", "S").unwrap();
        world.database.create_table(table.stream(StreamViewType::KeysOnly)).unwrap();
    }
    let mut names = Vec::new();
    let mut request = ListStreams { limit: Some(2), ..ListStreams::default() };
    loop {
        let page = world.database.list_streams(request.clone()).unwrap();
        names.push(page.streams.into_iter().map(|stream| stream.table_name).collect::<Vec<_>>());
        match page.last_evaluated_stream_arn {
            Some(arn) => request.exclusive_start_stream_arn = Some(arn),
            None => break,
        }
    }
    assert_eq!(names, [vec!["ants", "bees"], vec!["teams"]]);
    let of = |name: &str| ListStreams { table_name: Some(name.to_owned()), ..Default::default() };
    assert_eq!(world.database.list_streams(of("bees")).unwrap().streams.len(), 1);
    check_error(
        world.database.list_streams(of("nowhere")),
        "ResourceNotFoundException",
        "Requested resource not found: Table: nowhere not found",
    );
}
