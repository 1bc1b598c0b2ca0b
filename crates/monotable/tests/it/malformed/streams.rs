//! Streams: positions that do not exist, and iterators that are invalid or expired.

use monotable::Database;
use monotable::dynamodb::{
    CreateTable, DescribeStream, GetRecords, GetShardIterator, ListStreams, ShardIteratorType,
    StreamViewType,
};

use super::{Message, NOT_FOUND, VALIDATION, check, constraint, invalid, refused};
use crate::support::stores::on_both_stores;

const ARN: &str =
    "arn:aws:dynamodb:us-east-1:123456789012:table/absent/stream/2025-11-15T12:00:00.000";

/// Returns a table with a stream, and the stream's name.
fn create_stream(db: &Database) -> String {
    let table = CreateTable::new("changes").partition_key("id", "S").unwrap();
    let table = table.stream(StreamViewType::NewAndOldImages);
    db.create_table(table).unwrap().table_description.stream.unwrap().stream_arn
}

fn iterator(
    stream_arn: &str,
    shard_id: &str,
    iterator_type: ShardIteratorType,
) -> GetShardIterator {
    let (stream_arn, shard_id) = (stream_arn.to_owned(), shard_id.to_owned());
    GetShardIterator { stream_arn, shard_id, iterator_type }
}

#[test]
fn requests_to_streams_that_do_not_exist_are_refused() {
    check(|| {
        let not_found = format!("Requested resource not found: Stream: {ARN} not found");
        let shard = "shardId-00000000000000000000-00000000";
        let pages = |limit| ListStreams { limit: Some(limit), ..ListStreams::default() };
        let records = |limit| GetRecords { limit: Some(limit), ..GetRecords::new("x".repeat(30)) };
        vec![
            refused(NOT_FOUND, "describe", DescribeStream::new(ARN), Message::Exactly(not_found)),
            refused(
                NOT_FOUND,
                "iterate",
                iterator(ARN, shard, ShardIteratorType::TrimHorizon),
                Message::Unknown,
            ),
            refused(VALIDATION, "a short name", DescribeStream::new("arn:aws"), Message::Unknown),
            constraint("no page", pages(0), "0", "limit", "have value greater than or equal to 1"),
            constraint(
                "a long page",
                pages(101),
                "101",
                "limit",
                "have value less than or equal to 100",
            ),
            constraint(
                "no record",
                records(0),
                "0",
                "limit",
                "have value greater than or equal to 1",
            ),
            constraint(
                "too many records",
                records(1001),
                "1001",
                "limit",
                "have value less than or equal to 1000",
            ),
            refused(VALIDATION, "no iterator", GetRecords::new(""), Message::Unknown),
            invalid(
                "an invented iterator",
                GetRecords::new("x".repeat(30)),
                "Invalid ShardIterator",
            ),
        ]
    });
}

#[test]
fn places_outside_a_shard_are_refused() {
    on_both_stores(|db| {
        let arn = create_stream(db);
        let shard = db.describe_stream(DescribeStream::new(&*arn)).unwrap().shards.remove(0);
        let refusal = |shard: &str, kind| {
            let refused = db.get_shard_iterator(iterator(&arn, shard, kind)).unwrap_err();
            (refused.code(), refused.to_string())
        };
        let beyond = ShardIteratorType::AtSequenceNumber("9".repeat(30));
        let no_number = ShardIteratorType::AfterSequenceNumber("x".repeat(21));
        let invalid = (VALIDATION, "Invalid SequenceNumber for the shard".to_owned());
        assert_eq!(refusal(&shard.shard_id, beyond), invalid);
        assert_eq!(refusal(&shard.shard_id, no_number), invalid);
        let (code, message) =
            refusal(&shard.shard_id, ShardIteratorType::AtSequenceNumber("1".to_owned()));
        assert_eq!(code, VALIDATION);
        assert!(
            message.ends_with("Member must have length greater than or equal to 21"),
            "{message}"
        );
        let other = "shardId-99999999999999999999-99999999";
        assert_eq!(refusal(other, ShardIteratorType::Latest).0, NOT_FOUND);
    });
}

#[test]
fn an_iterator_expires_after_fifteen_minutes() {
    on_both_stores(|db| {
        let arn = create_stream(db);
        let shard = db.describe_stream(DescribeStream::new(&*arn)).unwrap().shards.remove(0);
        let request = iterator(&arn, &shard.shard_id, ShardIteratorType::TrimHorizon);
        let iterator = db.get_shard_iterator(request).unwrap().shard_iterator;
        db.advance_seconds(15 * 60);
        db.get_records(GetRecords::new(&*iterator)).unwrap();
        db.advance_seconds(1);
        let expired = db.get_records(GetRecords::new(iterator)).unwrap_err();
        assert_eq!(expired.code(), "ExpiredIteratorException");
    });
}
