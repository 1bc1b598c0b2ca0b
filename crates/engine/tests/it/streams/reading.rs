//! Iterators and pages.

use super::*;

#[test]
fn iterators_start_at_the_oldest_the_newest_or_a_number() {
    let world = World::new(StreamViewType::KeysOnly);
    let arn = world.arn();
    world.put_numbers(0..4);
    let number = world.records(&arn)[1].sequence_number.clone();
    let read = |iterator_type| {
        let iterator = world.iterator(&arn, iterator_type).unwrap();
        keys(&world.read(&iterator, None).unwrap().records)
    };
    assert_eq!(read(ShardIteratorType::TrimHorizon), ["0", "1", "2", "3"]);
    assert_eq!(read(ShardIteratorType::AtSequenceNumber(number.clone())), ["1", "2", "3"]);
    assert_eq!(read(ShardIteratorType::AfterSequenceNumber(number)), ["2", "3"]);
    let latest = world.iterator(&arn, ShardIteratorType::Latest).unwrap();
    let page = world.read(&latest, None).unwrap();
    assert!(page.records.is_empty());
    world.put_numbers(4..6);
    // Both the iterator and its empty successor see what came since.
    assert_eq!(keys(&world.read(&latest, None).unwrap().records), ["4", "5"]);
    let next = page.next_shard_iterator.unwrap();
    assert_eq!(keys(&world.read(&next, None).unwrap().records), ["4", "5"]);
}

#[test]
fn an_empty_shard_starts_where_it_says() {
    let world = World::new(StreamViewType::KeysOnly);
    let arn = world.arn();
    let start = world.describe(&arn).shards[0].starting_sequence_number.clone();
    let at = world.iterator(&arn, ShardIteratorType::AtSequenceNumber(start.clone())).unwrap();
    let after = world.iterator(&arn, ShardIteratorType::AfterSequenceNumber(start)).unwrap();
    world.put_numbers(0..2);
    assert_eq!(keys(&world.read(&at, None).unwrap().records), ["0", "1"]);
    assert_eq!(keys(&world.read(&after, None).unwrap().records), ["0", "1"]);
}

#[test]
fn a_page_has_the_records_asked_for() {
    let world = World::new(StreamViewType::KeysOnly);
    let arn = world.arn();
    world.put_numbers(0..1001);
    let first = world.iterator(&arn, ShardIteratorType::TrimHorizon).unwrap();
    let page = world.read(&first, Some(2)).unwrap();
    assert_eq!(keys(&page.records), ["0", "1"]);
    let page = world.read(&page.next_shard_iterator.unwrap(), Some(1)).unwrap();
    assert_eq!(keys(&page.records), ["2"]);
    let page = world.read(&first, None).unwrap();
    assert_eq!(page.records.len(), 1000);
    let page = world.read(&page.next_shard_iterator.unwrap(), None).unwrap();
    assert_eq!(keys(&page.records), ["1000"]);
    check_error(
        world.read(&first, Some(1001)),
        "ValidationException",
        "1 validation error detected: Value '1001' at 'limit' failed to satisfy constraint: Member \
         must have value less than or equal to 1000",
    );
}

#[test]
fn a_page_is_a_megabyte_at_most_and_never_empty_for_size() {
    let world = World::new(StreamViewType::NewAndOldImages);
    let arn = world.arn();
    for key in ["a", "b", "c"] {
        world.put(item! { "PK" => key, "text" => "x".repeat(390 * 1024) });
    }
    // Old and new image together are most of a page.
    world.put(item! { "PK" => "a", "text" => "y".repeat(390 * 1024) });
    let mut pages = Vec::new();
    let mut iterator = world.iterator(&arn, ShardIteratorType::TrimHorizon).unwrap();
    loop {
        let page = world.read(&iterator, None).unwrap();
        if page.records.is_empty() {
            break;
        }
        pages.push(keys(&page.records));
        iterator = page.next_shard_iterator.unwrap();
    }
    assert_eq!(pages, [vec!["a", "b"], vec!["c"], vec!["a"]]);
}

#[test]
fn an_iterator_expires_after_15_minutes() {
    let world = World::new(StreamViewType::KeysOnly);
    let iterator = world.iterator(&world.arn(), ShardIteratorType::TrimHorizon).unwrap();
    world.clock.advance_ms(15 * 60 * 1000);
    let next = world.read(&iterator, None).unwrap().next_shard_iterator.unwrap();
    world.clock.advance_ms(1);
    assert!(world.read(&next, None).is_ok());
    check_error(
        world.read(&iterator, None),
        "ExpiredIteratorException",
        "Iterator expired. The iterator was created at time 2026-10-08T23:07:31.275 while right now \
         it is 2026-10-08T23:22:31.276 which is further in the future than the tolerated delay of \
         900000 milliseconds.",
    );
}

#[test]
fn hostile_iterators_and_numbers_are_refused() {
    let world = World::new(StreamViewType::KeysOnly);
    let arn = world.arn();
    world.put_numbers(0..2);
    let iterator = world.iterator(&arn, ShardIteratorType::TrimHorizon).unwrap();
    for text in ["x", "a|b|c", "é|1|é", &format!("{iterator}0"), &iterator.replace("|1|", "|9|")]
    {
        check_error(world.read(text, None), "ValidationException", "Invalid ShardIterator");
    }
    let far = format!("{}{}", &iterator[..iterator.len() - 32], "f".repeat(32));
    assert!(world.read(&far, None).unwrap().records.is_empty());
    let at = |number: &str| ShardIteratorType::AtSequenceNumber(number.to_owned());
    check_error(
        world.iterator(&arn, at("100000000000000000003")),
        "ValidationException",
        "Invalid SequenceNumber for the shard",
    );
    check_error(
        world.iterator(&arn, at("7")),
        "ValidationException",
        "1 validation error detected: Value '7' at 'sequenceNumber' failed to satisfy constraint: \
         Member must have length greater than or equal to 21",
    );
}

#[test]
fn unknown_streams_and_shards_are_not_found() {
    let world = World::new(StreamViewType::KeysOnly);
    let unknown = "arn:aws:dynamodb:us-east-1:123456789012:table/teams/stream/2020";
    check_error(
        world.database.describe_stream(DescribeStream::new(unknown)),
        "ResourceNotFoundException",
        &format!("Requested resource not found: Stream: {unknown} not found"),
    );
    check_error(
        world.database.describe_stream(DescribeStream::new("x".repeat(40))),
        "ValidationException",
        "Invalid StreamArn",
    );
    let request = GetShardIterator {
        stream_arn: world.arn(),
        shard_id: "shardId-00000000000000000000-00000000".to_owned(),
        iterator_type: ShardIteratorType::Latest,
    };
    check_error(
        world.database.get_shard_iterator(request),
        "ResourceNotFoundException",
        "Requested resource not found: Shard does not exist",
    );
}
