//! The frames of the log: one per commit, each bound to the one before it.

use xxhash_rust::xxh3::xxh3_64;

use crate::layout::Malformed;
use crate::layout::varint;
use crate::store::nonce::Nonce;

/// The bytes of a frame before its rows.
pub(super) const HEAD_BYTES: usize = 80;
/// The position of the head's checksum, which covers everything before it.
const CHECKSUM_AT: usize = HEAD_BYTES - 8;

/// The purpose of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum Kind {
    /// The rows that one commit changed.
    Commit,
    /// The end of a segment: the frames up to this one are flushed to table files together.
    End,
}

impl Kind {
    fn code(self) -> u32 {
        match self {
            Self::Commit => 1,
            Self::End => 2,
        }
    }

    fn of_code(code: u32) -> Option<Self> {
        [Self::Commit, Self::End].into_iter().find(|kind| kind.code() == code)
    }
}

/// The metadata of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) struct Head {
    pub(in crate::store) kind: Kind,
    /// Frames are numbered without gaps.
    pub(in crate::store) number: u64,
    /// The sequence number of its rows in the tables.
    pub(in crate::store) sequence: u64,
    /// The time of writing, in milliseconds since the epoch.
    pub(in crate::store) time_ms: u64,
    /// The newest frame that was known to be synced when this one was written.
    pub(in crate::store) synced: u64,
    /// The checksum of the frame before it.
    pub(in crate::store) previous: u64,
}

/// A complete frame.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::store) struct Frame<'a> {
    pub(in crate::store) head: Head,
    /// Covers the head and, by the checksum in it, the rows.
    pub(in crate::store) checksum: u64,
    body: &'a [u8],
}

/// An intact head, with its description of the rows that follow.
struct Parsed {
    head: Head,
    body_bytes: usize,
    body_checksum: u64,
    checksum: u64,
}

/// Appends a frame whose rows `rows` appends, and returns its checksum.
///
/// # Errors
/// Fails if there are 4 GiB of rows or more.
pub(super) fn append(
    out: &mut Vec<u8>,
    nonce: Nonce,
    head: &Head,
    rows: impl FnOnce(&mut Vec<u8>),
) -> Result<u64, Malformed> {
    let start = out.len();
    out.resize(start + HEAD_BYTES, 0);
    rows(out);
    let frame = &mut out[start..];
    let body_checksum = xxh3_64(&frame[HEAD_BYTES..]);
    let body_bytes = u32::try_from(frame.len() - HEAD_BYTES)
        .map_err(|_| Malformed("a commit has 4 GiB of rows or more"))?;
    frame[..16].copy_from_slice(&nonce.0);
    let integers = [head.number, head.sequence, head.time_ms, head.synced, head.previous];
    for (place, integer) in frame[16..56].chunks_exact_mut(8).zip(integers) {
        place.copy_from_slice(&integer.to_le_bytes());
    }
    frame[56..60].copy_from_slice(&head.kind.code().to_le_bytes());
    frame[60..64].copy_from_slice(&body_bytes.to_le_bytes());
    frame[64..72].copy_from_slice(&body_checksum.to_le_bytes());
    let checksum = xxh3_64(&frame[..CHECKSUM_AT]);
    frame[CHECKSUM_AT..HEAD_BYTES].copy_from_slice(&checksum.to_le_bytes());
    Ok(checksum)
}

/// Appends a row of a frame: a value, or `None` for a key that is removed.
pub(super) fn append_row(out: &mut Vec<u8>, key: &[u8], value: Option<&[u8]>) {
    varint::write(out, key.len() as u64);
    out.extend_from_slice(key);
    varint::write(out, value.map_or(0, |value| value.len() as u64 + 1));
    out.extend_from_slice(value.unwrap_or_default());
}

fn parse_head(bytes: &[u8], nonce: Nonce) -> Option<Parsed> {
    let bytes: &[u8; HEAD_BYTES] = bytes.first_chunk()?;
    if bytes[..16] != nonce.0 {
        return None;
    }
    let integer = |at: usize| {
        let integer = bytes[at..at + 8].iter().rev();
        integer.fold(0, |integer, &byte| integer << 8 | u64::from(byte))
    };
    let checksum = xxh3_64(&bytes[..CHECKSUM_AT]);
    if integer(CHECKSUM_AT) != checksum {
        return None;
    }
    let (kind, body_bytes) = (integer(56) as u32, (integer(56) >> 32) as usize);
    Some(Parsed {
        head: Head {
            kind: Kind::of_code(kind)?,
            number: integer(16),
            sequence: integer(24),
            time_ms: integer(32),
            synced: integer(40),
            previous: integer(48),
        },
        body_bytes,
        body_checksum: integer(64),
        checksum,
    })
}

/// Takes a complete frame from the front of `input`; leaves `input` unchanged if there is none.
pub(super) fn take<'a>(input: &mut &'a [u8], nonce: Nonce) -> Option<Frame<'a>> {
    let parsed = parse_head(input, nonce)?;
    let body = input.get(HEAD_BYTES..)?.get(..parsed.body_bytes)?;
    if xxh3_64(body) != parsed.body_checksum {
        return None;
    }
    *input = &input[HEAD_BYTES + body.len()..];
    Some(Frame { head: parsed.head, checksum: parsed.checksum, body })
}

/// Returns the heads anywhere in `bytes`, with their positions.
pub(super) fn heads(bytes: &[u8], nonce: Nonce) -> impl Iterator<Item = (usize, Head)> {
    let places = bytes.windows(nonce.0.len()).enumerate();
    places
        .filter(move |(_, window)| *window == nonce.0)
        .filter_map(move |(at, _)| Some((at, parse_head(&bytes[at..], nonce)?.head)))
}

impl<'a> Frame<'a> {
    /// Returns its rows: keys with their values, or with `None` if they are removed.
    pub(in crate::store) fn rows(
        &self,
    ) -> impl Iterator<Item = Result<(&'a [u8], Option<&'a [u8]>), Malformed>> + use<'a> {
        let mut rest = self.body;
        std::iter::from_fn(move || (!rest.is_empty()).then(|| take_row(&mut rest)))
    }
}

fn take_row<'a>(input: &mut &'a [u8]) -> Result<(&'a [u8], Option<&'a [u8]>), Malformed> {
    let key = varint::read_bytes(input)?;
    let value = match varint::read(input)?.checked_sub(1) {
        Some(length) => {
            let length = usize::try_from(length).map_err(|_| Malformed("length too large"))?;
            Some(varint::take(input, length)?)
        }
        None => None,
    };
    Ok((key, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONCE: Nonce = Nonce([7; 16]);

    fn frame(rows: &[(&[u8], Option<&[u8]>)]) -> (Head, Vec<u8>) {
        let head = Head {
            kind: Kind::Commit,
            number: 3,
            sequence: 9,
            time_ms: 1_700_000_000_000,
            synced: 2,
            previous: 0x1234,
        };
        let mut bytes = Vec::new();
        let append_rows = |out: &mut Vec<u8>| {
            rows.iter().for_each(|(key, value)| append_row(out, key, *value));
        };
        append(&mut bytes, NONCE, &head, append_rows).unwrap();
        (head, bytes)
    }

    #[test]
    fn a_frame_comes_back_whole() {
        let rows: [(&[u8], Option<&[u8]>); 3] =
            [(b"a", Some(b"value")), (b"b", None), (b"c", Some(b""))];
        let (head, bytes) = frame(&rows);
        let mut input = bytes.as_slice();
        let taken = take(&mut input, NONCE).unwrap();
        assert!(input.is_empty());
        assert_eq!(taken.head, head);
        assert_eq!(taken.rows().collect::<Result<Vec<_>, _>>(), Ok(rows.to_vec()));
        let shifted = [b"xyz".as_slice(), &bytes].concat();
        assert_eq!(heads(&shifted, NONCE).collect::<Vec<_>>(), [(3, head)]);
    }

    #[test]
    fn no_changed_or_missing_byte_leaves_a_frame() {
        let (_, bytes) = frame(&[(b"key", Some(b"value"))]);
        for at in 0..bytes.len() {
            for bits in [1, 0x80, 0xff] {
                let mut changed = bytes.clone();
                changed[at] ^= bits;
                let mut input = changed.as_slice();
                assert_eq!(take(&mut input, NONCE), None, "{at} {bits}");
                assert_eq!(input.len(), bytes.len());
            }
            assert_eq!(take(&mut &bytes[..at], NONCE), None, "{at}");
        }
        assert_eq!(take(&mut bytes.as_slice(), Nonce([8; 16])), None);
    }
}
