//! Change records as rows: their positions and their bytes.
//!
//! A row key is `table · area · shard (2 bytes) · sequence (8 bytes)`. A value is `event · origin ·
//! creation time · flags · key · [old image] · [new image]`; the time is a varint, key and images
//! are encoded items preceded by their lengths, and the flags show which images follow. The codec
//! does not depend on requests; [`trim`] decides how long records stay.

mod trim;

use std::ops::Bound;

pub(crate) use self::trim::trim;
use crate::layout::row_key::{AREA_PREFIX_BYTES, AreaId, RowRange, TableId, area_prefix};
use crate::layout::{Malformed, varint};
use crate::op::streams::{StreamEvent, StreamOrigin};

/// A stream has one shard: one committer orders all changes anyway.
pub(crate) const SHARD: u16 = 0;

const INSERT: u8 = 1;
const MODIFY: u8 = 2;
const REMOVE: u8 = 3;

const REQUEST: u8 = 0;
const TIME_TO_LIVE: u8 = 1;

const HAS_OLD: u8 = 0b01;
const HAS_NEW: u8 = 0b10;

/// Returns the row key of a record.
pub(crate) fn row_key(table: TableId, area: AreaId, sequence: u64) -> Vec<u8> {
    let mut key = Vec::with_capacity(AREA_PREFIX_BYTES + 2 + 8);
    key.extend_from_slice(&area_prefix(table, area));
    key.extend_from_slice(&SHARD.to_be_bytes());
    key.extend_from_slice(&sequence.to_be_bytes());
    key
}

/// Returns the rows of a stream starting at a record.
pub(crate) fn row_range(table: TableId, area: AreaId, from_sequence: u64) -> RowRange {
    let lower = Bound::Included(row_key(table, area, from_sequence));
    RowRange { lower, ..RowRange::prefix(&area_prefix(table, area)) }
}

/// Returns the sequence number in a row key.
pub(crate) fn sequence_of_row(row_key: &[u8]) -> Result<u64, Malformed> {
    let sequence = row_key.get(AREA_PREFIX_BYTES + 2..).and_then(|rest| rest.try_into().ok());
    sequence.map(u64::from_be_bytes).ok_or(Malformed("change record key is malformed"))
}

/// Returns the bytes of a record. Key and images are encoded items; the stream's view type decides
/// which images are included.
pub(crate) fn encode_record(
    event: StreamEvent,
    origin: StreamOrigin,
    creation_ms: u64,
    keys: &[u8],
    old: Option<&[u8]>,
    new: Option<&[u8]>,
) -> Vec<u8> {
    let images_bytes = old.map_or(0, <[u8]>::len) + new.map_or(0, <[u8]>::len);
    let mut out = Vec::with_capacity(24 + keys.len() + images_bytes);
    out.push(match event {
        StreamEvent::Insert => INSERT,
        StreamEvent::Modify => MODIFY,
        StreamEvent::Remove => REMOVE,
    });
    out.push(match origin {
        StreamOrigin::Request => REQUEST,
        StreamOrigin::TimeToLive => TIME_TO_LIVE,
    });
    varint::write(&mut out, creation_ms);
    out.push(old.map_or(0, |_| HAS_OLD) | new.map_or(0, |_| HAS_NEW));
    for item in [Some(keys), old, new].into_iter().flatten() {
        varint::write(&mut out, item.len() as u64);
        out.extend_from_slice(item);
    }
    out
}

/// A record, with key and images still encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record<'a> {
    pub(crate) event: StreamEvent,
    pub(crate) origin: StreamOrigin,
    pub(crate) creation_ms: u64,
    pub(crate) keys: &'a [u8],
    pub(crate) old: Option<&'a [u8]>,
    pub(crate) new: Option<&'a [u8]>,
}

/// Decodes a record.
pub(crate) fn decode_record(mut input: &[u8]) -> Result<Record<'_>, Malformed> {
    let event = match varint::take_byte(&mut input)? {
        INSERT => StreamEvent::Insert,
        MODIFY => StreamEvent::Modify,
        REMOVE => StreamEvent::Remove,
        _ => return Err(Malformed("change record of an unknown event")),
    };
    let origin = match varint::take_byte(&mut input)? {
        REQUEST => StreamOrigin::Request,
        TIME_TO_LIVE => StreamOrigin::TimeToLive,
        _ => return Err(Malformed("change record of an unknown origin")),
    };
    let creation_ms = varint::read(&mut input)?;
    let flags = varint::take_byte(&mut input)?;
    if flags & !(HAS_OLD | HAS_NEW) != 0 {
        return Err(Malformed("change record with unknown flags"));
    }
    let keys = varint::read_bytes(&mut input)?;
    let mut image = |flag| (flags & flag != 0).then(|| varint::read_bytes(&mut input)).transpose();
    let old = image(HAS_OLD)?;
    let new = image(HAS_NEW)?;
    if !input.is_empty() {
        return Err(Malformed("change record has bytes left over"));
    }
    Ok(Record { event, origin, creation_ms, keys, old, new })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_survive_the_round_trip() {
        type Image = Option<&'static [u8]>;
        let images: [(Image, Image); 4] =
            [(None, None), (Some(b"old"), None), (None, Some(b"new")), (Some(b""), Some(b"new"))];
        for event in [StreamEvent::Insert, StreamEvent::Modify, StreamEvent::Remove] {
            for origin in [StreamOrigin::Request, StreamOrigin::TimeToLive] {
                for (old, new) in images {
                    let bytes = encode_record(event, origin, 1_700_000_000_123, b"key", old, new);
                    let creation_ms = 1_700_000_000_123;
                    let expected = Record { event, origin, creation_ms, keys: b"key", old, new };
                    assert_eq!(decode_record(&bytes), Ok(expected));
                }
            }
        }
    }

    #[test]
    fn every_cut_or_lengthened_record_is_refused() {
        let bytes = encode_record(
            StreamEvent::Modify,
            StreamOrigin::Request,
            300,
            b"key",
            Some(b"old"),
            Some(b"new"),
        );
        for length in 0..bytes.len() {
            assert!(decode_record(&bytes[..length]).is_err(), "{length} bytes");
        }
        assert!(decode_record(&[bytes.as_slice(), &[0]].concat()).is_err());
    }

    #[test]
    fn row_keys_sort_by_sequence() {
        let keys: Vec<_> = [0, 1, 255, 256, u64::MAX].map(|number| row_key(7, 3, number)).to_vec();
        assert!(keys.is_sorted());
        assert_eq!(sequence_of_row(&keys[3]), Ok(256));
        assert!(sequence_of_row(&keys[3][..9]).is_err());
    }
}
