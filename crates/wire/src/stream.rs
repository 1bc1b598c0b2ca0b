//! Streams in requests and responses: their names and their records.

use monotable_engine::{StreamEvent, StreamOrigin, StreamRecord, StreamSummary};
use sha2::{Digest, Sha256};

use crate::json::Writer;
use crate::table::stream_view_type_name;
use crate::value::write_item;

/// The most streams or shards on a page.
pub(crate) const STREAMS_PAGE_MAX: usize = 100;
/// The version of the record format, as AWS counts.
const EVENT_VERSION: &str = "1.1";
/// The number of hexadecimal digits of an event id.
const EVENT_ID_LENGTH: usize = 32;
const MILLISECONDS: u64 = 1000;

/// Writes the names of a stream.
pub(crate) fn write_summary(json: &mut Writer<'_>, stream: &StreamSummary) {
    json.text_member("StreamArn", &stream.stream_arn);
    json.text_member("StreamLabel", &stream.stream_label);
    json.text_member("TableName", &stream.table_name);
}

/// Returns the stream ARN that an iterator starts with. The engine checks whether the stream
/// exists.
pub(crate) fn stream_of_iterator(iterator: &str) -> &str {
    iterator.rsplitn(3, '|').last().unwrap_or(iterator)
}

/// Writes a record of a stream.
pub(crate) fn write_record(json: &mut Writer<'_>, stream_arn: &str, record: &StreamRecord) {
    json.text_member("eventID", &event_id(stream_arn, &record.sequence_number));
    let event_name = match record.event {
        StreamEvent::Insert => "INSERT",
        StreamEvent::Modify => "MODIFY",
        StreamEvent::Remove => "REMOVE",
    };
    json.text_member("eventName", event_name);
    json.text_member("eventVersion", EVENT_VERSION);
    json.text_member("eventSource", "aws:dynamodb");
    json.text_member("awsRegion", stream_arn.split(':').nth(3).unwrap_or_default());
    json.object_member("dynamodb", |json| write_change(json, record));
    match record.origin {
        StreamOrigin::Request => {}
        StreamOrigin::TimeToLive => json.object_member("userIdentity", |json| {
            json.text_member("PrincipalId", "dynamodb.amazonaws.com");
            json.text_member("Type", "Service");
        }),
    }
}

fn write_change(json: &mut Writer<'_>, record: &StreamRecord) {
    // AWS rounds down to seconds.
    json.integer_member("ApproximateCreationDateTime", record.creation_ms / MILLISECONDS);
    let images = [("NewImage", record.new_image.as_ref()), ("OldImage", record.old_image.as_ref())];
    for (name, item) in [("Keys", Some(&record.keys))].into_iter().chain(images) {
        if let Some(item) = item {
            json.name(name);
            write_item(json, item);
        }
    }
    json.text_member("SequenceNumber", &record.sequence_number);
    json.integer_member("SizeBytes", record.size_bytes);
    json.text_member("StreamViewType", stream_view_type_name(record.view_type));
}

/// Returns the id of a record: unique, and the same in every read, so that clients can detect
/// repeated records.
fn event_id(stream_arn: &str, sequence_number: &str) -> String {
    let digest = Sha256::new().chain_update(stream_arn).chain_update(sequence_number).finalize();
    let mut id: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    id.truncate(EVENT_ID_LENGTH);
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_iterator_starts_with_its_stream() {
        let arn = "arn:aws:dynamodb:us-east-1:000000000000:table/teams/stream/2026";
        assert_eq!(stream_of_iterator(&format!("{arn}|1|00ff")), arn);
        assert_eq!(stream_of_iterator("garbage"), "garbage");
    }

    #[test]
    fn event_ids_are_stable_and_differ() {
        let id = event_id("arn", "1");
        assert_eq!(id.len(), EVENT_ID_LENGTH);
        assert_eq!(id, event_id("arn", "1"));
        assert_ne!(id, event_id("arn", "2"));
        assert_ne!(id, event_id("other", "1"));
    }
}
