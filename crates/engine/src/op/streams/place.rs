//! The identity of a record: the ARN of its stream, the id of its shard, its sequence number.

use std::sync::Arc;

use monotable_types::Constraints;
use monotable_types::limits::NAME_LENGTH_MAX;

use crate::error::{Error, Result};
use crate::store::{Order, Snapshot};
use crate::stream;
use crate::table::{Catalog, Stream, Table};

/// Lengths of a stream's ARN on AWS.
const STREAM_ARN_LENGTH: std::ops::RangeInclusive<usize> = 37..=1024;
/// Lengths of a shard's id on AWS.
pub(super) const SHARD_ID_LENGTH: std::ops::RangeInclusive<usize> = 28..=65;
/// Lengths of a sequence number on AWS.
pub(super) const SEQUENCE_NUMBER_LENGTH: std::ops::RangeInclusive<usize> = 21..=40;
/// Added to a sequence number in text, so that all have 21 digits and none starts with a zero,
/// which clients that parse them as integers would lose.
const SEQUENCE_NUMBER_BASE: u128 = 100_000_000_000_000_000_000;

/// Returns a sequence number as text.
pub(super) fn sequence_text(sequence: u64) -> String {
    (SEQUENCE_NUMBER_BASE + u128::from(sequence)).to_string()
}

/// Returns a sequence number from text; `None` if no record can have it.
pub(super) fn parse_sequence(text: &str) -> Option<u64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number: u128 = digits.then(|| text.parse().ok())??;
    u64::try_from(number.checked_sub(SEQUENCE_NUMBER_BASE)?).ok()
}

/// Returns the id of a stream's one shard.
pub(super) fn shard_id(stream: &Stream) -> String {
    format!("shardId-{:020}-{:08x}", stream.creation_ms, stream.area)
}

/// Returns the error for a shard that the stream lacks.
pub(super) fn shard_not_found() -> Error {
    Error::ResourceNotFound("Requested resource not found: Shard does not exist".to_owned())
}

/// The length of an ARN, as a constraint.
pub(super) fn constrain_arn(constraints: &mut Constraints, arn: &str, path: &str) {
    constraints.text(arn, path, STREAM_ARN_LENGTH);
}

/// Returns the table name and the label in a stream's ARN.
pub(super) fn parse_arn(arn: &str) -> Result<(&str, &str)> {
    let names = arn.strip_prefix("arn:").and_then(|rest| {
        let (_, resource) = rest.split_once(":table/")?;
        resource.split_once("/stream/")
    });
    match names {
        Some((table, label)) if table.len() <= NAME_LENGTH_MAX && !label.is_empty() => {
            Ok((table, label))
        }
        _ => Err(Error::validation("Invalid StreamArn")),
    }
}

/// Returns the stream with this ARN.
pub(super) fn find_stream<'a>(
    catalog: &'a Catalog,
    arn: &str,
) -> Result<(&'a Arc<Table>, &'a Stream)> {
    let (name, _) = parse_arn(arn)?;
    let find = || {
        let table = catalog.find(name)?;
        let stream = table.streams.iter().find(|stream| table.stream_arn(stream) == arn)?;
        Some((table, stream))
    };
    find().ok_or_else(|| {
        Error::ResourceNotFound(format!("Requested resource not found: Stream: {arn} not found"))
    })
}

/// Returns the number of the next record of a stream, as of the snapshot. The table's counter may
/// be ahead of the snapshot, so it is not used.
pub(super) fn next_sequence(
    snapshot: &dyn Snapshot,
    table: &Table,
    stream: &Stream,
) -> Result<u64> {
    let range = stream::row_range(table.id, stream.area, stream.first_sequence);
    match snapshot.range(&range, Order::Descending).next() {
        Some(row) => Ok(stream::sequence_of_row(&row?.0)?.saturating_add(1)),
        None => Ok(stream.first_sequence),
    }
}

/// Returns the error for records that were trimmed.
pub(super) fn trimmed() -> Error {
    Error::TrimmedDataAccess(
        "The operation attempted to read past the oldest stream record in a shard.".to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequence_numbers_have_21_digits_and_read_back() {
        for sequence in [0, 1, 4711, u64::MAX] {
            let text = sequence_text(sequence);
            assert_eq!(text.len(), 21);
            assert_eq!(parse_sequence(&text), Some(sequence));
        }
    }

    #[test]
    fn other_numbers_are_of_no_record() {
        let forty = "9".repeat(40);
        for text in ["", "1", "+100000000000000000000", "099999999999999999999", "x", &forty] {
            assert_eq!(parse_sequence(text), None, "{text}");
        }
    }

    #[test]
    fn a_stream_arn_names_table_and_label() {
        let arn = "arn:aws:dynamodb:us-east-1:123456789012:table/teams/stream/2026-10-08T23:07";
        assert_eq!(parse_arn(arn), Ok(("teams", "2026-10-08T23:07")));
        for text in ["", "arn:", "arn:x:table/", "arn:x:table/teams", "arn:x:table/teams/stream/"] {
            let message = parse_arn(text).unwrap_err().to_string();
            assert_eq!(message, "Invalid StreamArn");
        }
    }
}
