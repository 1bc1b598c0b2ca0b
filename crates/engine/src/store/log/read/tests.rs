//! Segments that are constructed by hand, cut off and changed at every byte.

use super::*;
use crate::store::log::frame::Head;

const NONCE: Nonce = Nonce(*b"only this one db");
const PADDING: usize = 5_000;

/// Frames and their positions.
struct Made {
    bytes: Vec<u8>,
    starts: Vec<usize>,
    position: Position,
}

/// The first segment, with its head only.
fn empty() -> Made {
    let directory = tempfile::tempdir().unwrap();
    let head = SegmentHead { number: 1, first: 1, previous: 0 };
    let (path, _) = head.create(directory.path(), NONCE).unwrap();
    let mut bytes = std::fs::read(path).unwrap();
    bytes.truncate(HEAD_BYTES);
    Made { bytes, starts: Vec::new(), position: Position { next: 1, previous: 0, sequence: 0 } }
}

impl Made {
    /// Adds a frame, written when the one before it was synced.
    fn add(&mut self, kind: Kind, value: &[u8]) {
        let number = self.position.next;
        self.add_synced(kind, value, number - 1);
    }

    fn add_synced(&mut self, kind: Kind, value: &[u8], synced: u64) {
        self.starts.push(self.bytes.len());
        let Position { next: number, previous, sequence } = self.position;
        let head = Head {
            kind,
            number,
            sequence: sequence + 2,
            time_ms: 1_000 + number,
            synced,
            previous,
        };
        let checksum = frame::append(&mut self.bytes, NONCE, &head, |out| {
            frame::append_row(out, b"key", Some(value));
        });
        self.position =
            Position { next: number + 1, previous: checksum.unwrap(), sequence: head.sequence };
    }

    fn padded(&self) -> Vec<u8> {
        [self.bytes.as_slice(), &[0; PADDING]].concat()
    }
}

fn three() -> Made {
    let mut made = empty();
    for value in [b"one".as_slice(), b"two", b"three\0\0"] {
        made.add(Kind::Commit, value);
    }
    made
}

/// Returns a reader's result for the first segment: its end and the number of frames that are cut
/// off, or the position of the damage.
fn scan(bytes: &[u8]) -> Result<(usize, u64), usize> {
    scan_synced(bytes, 0)
}

fn scan_synced(bytes: &[u8], synced: u64) -> Result<(usize, u64), usize> {
    let mut reader = Reader { nonce: NONCE, synced, position: None, unsynced_at: 0 };
    let scanned = reader.scan(bytes, 1).map_err(|damage| damage.at)?;
    Ok((scanned.end as usize, scanned.torn.map_or(0, |torn| torn.frames)))
}

#[test]
fn whole_frames_and_padding_are_clean() {
    let made = three();
    assert_eq!(scan(&made.bytes), Ok((made.bytes.len(), 0)));
    assert_eq!(scan(&made.padded()), Ok((made.bytes.len(), 0)));
    assert_eq!(scan(&empty().padded()), Ok((HEAD_BYTES, 0)));
}

#[test]
fn every_cut_ends_behind_the_last_whole_frame() {
    let made = three();
    let last = made.starts[2];
    for cut in last..made.bytes.len() {
        let expected = (last, u64::from(cut > last));
        let mut padded = made.bytes[..cut].to_vec();
        padded.resize(cut + PADDING, 0);
        assert_eq!(scan(&made.bytes[..cut]), Ok(expected), "{cut}");
        // Zeros that are cut off and zeros that follow are the same.
        let is_whole = padded.starts_with(&made.bytes);
        let end = if is_whole { made.bytes.len() } else { last };
        assert_eq!(scan(&padded).unwrap().0, end, "{cut}");
    }
    for cut in 0..HEAD_BYTES {
        assert_eq!(scan(&made.bytes[..cut]), Err(0), "{cut}");
    }
}

#[test]
fn a_changed_byte_is_damage_unless_it_is_in_the_last_frame() {
    let made = three();
    let bytes = made.padded();
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0x40;
        let frame = made.starts.iter().rev().find(|start| **start <= at);
        let expected = match frame {
            None => Err(0),
            Some(&start) if start < made.starts[2] => Err(start),
            Some(&start) if at < made.bytes.len() => Ok((start, 1)),
            Some(_) => Ok((made.bytes.len(), 1)),
        };
        assert_eq!(scan(&changed), expected, "{at}");
        // Damage to synced data is reported wherever it is.
        if at < made.bytes.len() {
            assert!(scan_synced(&changed, 3).is_err(), "{at}");
        }
    }
}

#[test]
fn frames_that_are_missing_repeated_or_swapped_are_damage() {
    let made = three();
    let frame = |number: usize| {
        let end = made.starts.get(number + 1).copied().unwrap_or(made.bytes.len());
        &made.bytes[made.starts[number]..end]
    };
    let head = &made.bytes[..HEAD_BYTES];
    let (one, two, three) = (frame(0), frame(1), frame(2));
    for frames in [[two, three].as_slice(), &[one, three], &[two, one], &[one, one, two]] {
        let bytes = [head, &frames.concat()].concat();
        assert!(scan(&bytes).is_err(), "{}", frames.len());
    }
}

#[test]
fn a_frame_that_a_later_one_knows_as_synced_is_not_cut_off() {
    let mut made = three();
    made.add_synced(Kind::Commit, b"four", 2);
    made.add_synced(Kind::Commit, b"five", 2);
    let mut bytes = made.padded();
    bytes[made.starts[2] + 90] ^= 1;
    assert_eq!(scan(&bytes), Ok((made.starts[2], 3)), "relaxed: none of three was synced");
    made.add_synced(Kind::Commit, b"six", 3);
    let mut bytes = made.padded();
    bytes[made.starts[2] + 90] ^= 1;
    assert_eq!(scan(&bytes), Err(made.starts[2]));
}

#[test]
fn nothing_follows_the_end_of_a_segment() {
    let mut made = three();
    made.add(Kind::End, b"");
    let end = made.bytes.len();
    assert_eq!(scan(&made.padded()), Ok((end, 0)));
    made.add(Kind::Commit, b"behind");
    assert_eq!(scan(&made.padded()), Err(end));
}

#[test]
fn a_value_with_the_bytes_of_frames_is_no_frame() {
    let inner = three();
    let mut stolen = inner.bytes[HEAD_BYTES..].to_vec();
    // Everything that a client can know of them: all but the nonce.
    while let Some(at) = stolen.windows(16).position(|window| window == NONCE.0) {
        stolen[at..at + 16].fill(9);
    }
    let mut made = three();
    made.add(Kind::Commit, &stolen);
    for cut in made.starts[3]..made.bytes.len() {
        let torn = u64::from(cut > made.starts[3]);
        assert_eq!(scan(&made.bytes[..cut]), Ok((made.starts[3], torn)), "{cut}");
    }
}
