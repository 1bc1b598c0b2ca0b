//! Streams that end, and records that grow old.

use monotable_engine::{DeleteTable, UpdateTimeToLive};

use super::*;

#[test]
fn a_disabled_stream_is_read_to_its_end() {
    let world = World::new(StreamViewType::KeysOnly);
    let arn = world.arn();
    world.put_numbers(0..2);
    world.update_stream(StreamUpdate::Disable).unwrap();
    world.put_numbers(2..4);
    let stream = world.describe(&arn);
    assert_eq!(stream.status, StreamStatus::Disabled);
    let records = world.records(&arn);
    assert_eq!(keys(&records), ["0", "1"]);
    let last = Some(records[1].sequence_number.clone());
    assert_eq!(stream.shards[0].ending_sequence_number, last);
    let iterator = world.iterator(&arn, ShardIteratorType::TrimHorizon).unwrap();
    let first = world.read(&iterator, Some(1)).unwrap();
    let second = world.read(&first.next_shard_iterator.unwrap(), Some(1)).unwrap();
    assert_eq!(second.next_shard_iterator, None);

    let table = world.database.describe_table(DescribeTable::new("teams")).unwrap().table;
    let stream = table.stream.unwrap();
    assert_eq!((stream.stream_arn.as_str(), stream.enabled), (arn.as_str(), false));
}

#[test]
fn a_stream_enabled_again_is_another_stream() {
    let world = World::new(StreamViewType::KeysOnly);
    let old = world.arn();
    world.put_numbers(0..2);
    world.update_stream(StreamUpdate::Disable).unwrap();
    // The clock stands still, and yet the labels differ.
    world.update_stream(StreamUpdate::Enable(StreamViewType::NewImage)).unwrap();
    let new = world.arn();
    assert_ne!(old, new);
    world.put_numbers(2..3);
    assert_eq!(keys(&world.records(&old)), ["0", "1"]);
    assert_eq!(keys(&world.records(&new)), ["2"]);
    let streams = world.database.list_streams(ListStreams::default()).unwrap().streams;
    let arns: Vec<_> = streams.into_iter().map(|stream| stream.stream_arn).collect();
    assert_eq!(arns, [old, new]);
}

#[test]
fn a_stream_is_enabled_and_disabled_once() {
    let world = World::new(StreamViewType::KeysOnly);
    check_error(
        world.update_stream(StreamUpdate::Enable(StreamViewType::NewImage)),
        "ValidationException",
        "Table already has an enabled stream: TableName: teams",
    );
    world.update_stream(StreamUpdate::Disable).unwrap();
    check_error(
        world.update_stream(StreamUpdate::Disable),
        "ValidationException",
        "Table has no stream to disable: TableName: teams",
    );
}

#[test]
fn records_are_trimmed_after_24_hours() {
    let world = World::new(StreamViewType::KeysOnly);
    let arn = world.arn();
    world.put_numbers(0..1203);
    world.clock.advance_ms(HOUR_MS);
    world.put_numbers(1203..1205);
    let start = world.describe(&arn).shards[0].starting_sequence_number.clone();
    let early = world.iterator(&arn, ShardIteratorType::TrimHorizon).unwrap();

    world.clock.advance_ms(23 * HOUR_MS);
    assert_eq!(world.database.trim_streams(), Ok(0));
    world.clock.advance_ms(1);
    let horizon = world.iterator(&arn, ShardIteratorType::TrimHorizon).unwrap();
    assert_eq!(world.database.trim_streams(), Ok(1203));
    assert_eq!(keys(&world.records(&arn)), ["1203", "1204"]);
    check_error(
        world.read(&horizon, None),
        "TrimmedDataAccessException",
        "The operation attempted to read past the oldest stream record in a shard.",
    );
    check_error(
        world.iterator(&arn, ShardIteratorType::AtSequenceNumber(start)),
        "TrimmedDataAccessException",
        "The operation attempted to read past the oldest stream record in a shard.",
    );
    assert_eq!(world.read(&early, None).unwrap_err().code(), "ExpiredIteratorException");

    world.clock.advance_ms(HOUR_MS);
    assert_eq!(world.database.trim_streams(), Ok(2));
    assert!(world.records(&arn).is_empty());
    // Numbers go on where they were.
    world.put_numbers(1205..1206);
    assert_eq!(world.records(&arn)[0].sequence_number, "100000000000000001205");
    assert!(world.database.check().unwrap().is_clean());
}

#[test]
fn a_disabled_stream_vanishes_after_24_hours() {
    let world = World::new(StreamViewType::KeysOnly);
    let arn = world.arn();
    world.put_numbers(0..3);
    world.clock.advance_ms(HOUR_MS);
    world.update_stream(StreamUpdate::Disable).unwrap();
    world.clock.advance_ms(23 * HOUR_MS + 1);
    assert_eq!(world.database.trim_streams(), Ok(3));
    assert!(world.records(&arn).is_empty());
    world.clock.advance_ms(HOUR_MS);
    assert_eq!(world.database.trim_streams(), Ok(0));
    assert!(world.database.list_streams(ListStreams::default()).unwrap().streams.is_empty());
    let table = world.database.describe_table(DescribeTable::new("teams")).unwrap().table;
    assert_eq!(table.stream, None);
}

#[test]
fn the_stream_of_another_table_of_the_same_name_is_another() {
    let world = World::new(StreamViewType::KeysOnly);
    let arn = world.arn();
    world.put_numbers(0..1);
    let iterator = world.iterator(&arn, ShardIteratorType::TrimHorizon).unwrap();
    world.database.delete_table(DeleteTable::new("teams")).unwrap();
    let table = CreateTable::new("teams").partition_key("PK", "S").unwrap();
    world.database.create_table(table.stream(StreamViewType::KeysOnly)).unwrap();
    assert!(world.records(&arn).is_empty());
    check_error(
        world.read(&iterator, None),
        "ResourceNotFoundException",
        &format!("Requested resource not found: Stream: {arn} not found"),
    );
}

#[test]
fn expired_items_leave_a_record_of_their_own_kind() {
    let world = World::new(StreamViewType::OldImage);
    let arn = world.arn();
    let setting = UpdateTimeToLive::enable("teams", "until");
    world.database.update_time_to_live(setting).unwrap();
    world.put(item! { "PK" => "a", "until" => START_MS / 1000 + 1 });
    world.clock.advance_ms(3000);
    assert_eq!(world.database.sweep_expired(), Ok(1));
    let records = world.records(&arn);
    assert_eq!(records[1].event, StreamEvent::Remove);
    assert_eq!(records[1].origin, StreamOrigin::TimeToLive);
    assert!(records[1].old_image.is_some());
}
