//! Journals that are constructed by hand, cut off and changed at every byte.

use super::*;
use crate::store::sealed::seal;

const NONCE: Nonce = Nonce(*b"only this one db");
const PADDING: usize = 5_000;

fn item(key: &[u8], value: &[u8]) -> Vec<u8> {
    let mut item = vec![ITEM, 0, 0];
    item.extend_from_slice(&7u64.to_le_bytes());
    item.extend_from_slice(&(key.len() as u16).to_le_bytes());
    item.extend_from_slice(&(value.len() as u32).to_le_bytes());
    item.extend_from_slice(&(value.len() as u32).to_le_bytes());
    item.extend_from_slice(key);
    item.extend_from_slice(value);
    item
}

fn batch_of(sequence: u64, items: &[Vec<u8>]) -> Vec<u8> {
    let mut out = vec![BATCH_START];
    out.extend_from_slice(&(items.len() as u32).to_le_bytes());
    out.extend_from_slice(&sequence.to_le_bytes());
    let items = items.concat();
    out.extend_from_slice(&items);
    out.push(BATCH_END);
    out.extend_from_slice(&xxh3_64(&items).to_le_bytes());
    out.extend_from_slice(BATCH_MAGIC);
    out
}

fn mark(number: u64, synced: u64) -> Mark {
    Mark { nonce: NONCE, number, synced, sequence_min: number * 10 }
}

/// A batch with its mark, written when the one before it was synced.
fn batch(number: u64, value: &[u8]) -> Vec<u8> {
    marked(mark(number, number - 1), value)
}

fn sealed(mark: Mark) -> Vec<u8> {
    let mut value = mark.nonce.0.to_vec();
    for integer in [mark.number, mark.synced, mark.sequence_min] {
        value.extend_from_slice(&integer.to_be_bytes());
    }
    seal(&MARK_KEY, &value).to_vec()
}

fn marked(mark: Mark, value: &[u8]) -> Vec<u8> {
    let items = [item(&MARK_KEY, &sealed(mark)), item(b"key", value)];
    batch_of(mark.sequence_min + 1, &items)
}

/// A batch of format 1.
fn unmarked(sequence: u64, value: &[u8]) -> Vec<u8> {
    batch_of(sequence, &[item(b"key", value)])
}

/// Batches and padding, and where each batch starts.
fn journal(batches: &[Vec<u8>]) -> (Vec<u8>, Vec<usize>) {
    let mut bytes = Vec::new();
    let starts = batches.iter().map(|batch| {
        let start = bytes.len();
        bytes.extend_from_slice(batch);
        start
    });
    let starts = starts.collect();
    bytes.resize(bytes.len() + PADDING, 0);
    (bytes, starts)
}

fn three() -> (Vec<u8>, Vec<usize>) {
    journal(&[batch(1, b"one"), batch(2, b"two"), batch(3, b"three")])
}

/// Returns a reader's result for a journal of this database: its end, and the number of batches
/// that are cut off.
fn scan(bytes: &[u8]) -> Result<(usize, u64), usize> {
    scan_as(Some(NONCE), bytes)
}

fn scan_as(nonce: Option<Nonce>, bytes: &[u8]) -> Result<(usize, u64), usize> {
    let mut reader = Reader { nonce, synced: 0, sequence: None, mark: None };
    let (end, torn) = reader.scan(bytes).map_err(|damage| damage.at)?;
    Ok((end, torn.map_or(0, |torn| torn.batches)))
}

#[test]
fn whole_batches_and_padding_are_clean() {
    let (bytes, _) = three();
    assert_eq!(scan(&bytes), Ok((bytes.len() - PADDING, 0)));
    assert_eq!(scan(&[0; 64]), Ok((0, 0)));
    assert_eq!(scan(&[]), Ok((0, 0)));
}

#[test]
fn a_last_batch_that_is_not_whole_is_torn_wherever_it_is_cut_or_changed() {
    let (bytes, starts) = three();
    let third = starts[2];
    for place in third..bytes.len() - PADDING {
        let mut changed = bytes.clone();
        changed[place] ^= 0x55;
        // The sequence number is not covered by the batch's checksum; changing it is damage.
        let is_sequence = (third + 5..third + START_BYTES).contains(&place);
        let expected = if is_sequence { Err(third) } else { Ok((third, 1)) };
        // Within the slack a changed number keeps the order, so it changes no result.
        if !is_sequence || scan(&changed).is_err() {
            assert_eq!(scan(&changed), expected, "changed at {place}");
        }
        let expected = if place == third { Ok((third, 0)) } else { Ok((third, 1)) };
        assert_eq!(scan(&bytes[..place]), expected, "cut at {place}");
    }
}

#[test]
fn damage_in_front_of_another_batch_is_found_at_every_byte() {
    let (bytes, starts) = three();
    for place in starts[1]..starts[2] {
        let mut changed = bytes.clone();
        changed[place] ^= 0x55;
        // A sequence number that became too high is detected in the batch after it.
        assert!(matches!(scan(&changed), Err(at) if at == starts[1] || at == starts[2]), "{place}");
    }
}

#[test]
fn a_sequence_number_that_is_changed_in_any_bit_is_found_or_keeps_the_order() {
    let (bytes, starts) = three();
    for (number, start) in starts.iter().enumerate() {
        for bit in 0..64 {
            let mut changed = bytes.clone();
            changed[start + 5 + bit / 8] ^= 1 << (bit % 8);
            let sequence = u64::from_le_bytes(changed[start + 5..][..8].try_into().unwrap());
            let min = (number as u64 + 1) * 10;
            let max = if number == 2 { min + SEQUENCE_SLACK } else { min + 9 };
            let keeps_the_order = (min..=max).contains(&sequence);
            assert_eq!(scan(&changed).is_ok(), keeps_the_order, "batch {number}, bit {bit}");
        }
    }
}

#[test]
fn batches_of_other_databases_and_missing_batches_are_damage() {
    let foreign = Mark { nonce: Nonce([7; 16]), ..mark(2, 1) };
    let (bytes, starts) = journal(&[batch(1, b"one"), marked(foreign, b"two")]);
    assert_eq!(scan(&bytes), Err(starts[1]));
    let (bytes, starts) = journal(&[batch(1, b"one"), batch(3, b"three")]);
    assert_eq!(scan(&bytes), Err(starts[1]));
    let (bytes, starts) = journal(&[batch(1, b"one"), unmarked(50, b"two")]);
    assert_eq!(scan(&bytes), Err(starts[1]));
}

/// Clients can store any bytes, also those of a whole batch with a high sequence number.
#[test]
fn a_value_that_looks_like_a_batch_is_not_searched_in_a_torn_batch() {
    let imitation = Mark { nonce: Nonce([9; 16]), ..mark(900, 899) };
    for planted in [unmarked(9_000, b"planted"), marked(imitation, b"planted")] {
        let value = [BATCH_MAGIC.as_slice(), &planted, b"more"].concat();
        let (bytes, starts) = journal(&[batch(1, b"one"), batch(2, &value)]);
        let second = starts[1];
        for cut in second + 1..bytes.len() - PADDING {
            assert_eq!(scan(&bytes[..cut]), Ok((second, 1)), "cut at {cut}");
        }
    }
}

#[test]
fn unsynced_batches_may_be_torn_together_but_synced_ones_may_not() {
    let relaxed = |number| marked(mark(number, 1), b"value");
    let (mut bytes, starts) = journal(&[batch(1, b"one"), relaxed(2), relaxed(3), relaxed(4)]);
    // The power failed before the second batch reached the disk, but later ones did.
    bytes[starts[2] - 20] ^= 1;
    assert_eq!(scan(&bytes), Ok((starts[1], 3)));
    bytes[starts[1] - 20] ^= 1;
    assert_eq!(scan(&bytes), Err(0), "the first batch was synced");
}

#[test]
fn journals_of_format_1_are_read_without_marks_and_before_marks() {
    let (bytes, starts) = journal(&[unmarked(1, b"one"), unmarked(2, b"two"), unmarked(3, b"x")]);
    assert_eq!(scan_as(None, &bytes), Ok((bytes.len() - PADDING, 0)));
    for place in starts[1] + START_BYTES..starts[2] - BATCH_MAGIC.len() {
        let mut changed = bytes.clone();
        changed[place] ^= 0x55;
        assert_eq!(scan_as(None, &changed), Err(starts[1]), "{place}");
    }
    let (bytes, starts) = journal(&[unmarked(1, b"one"), unmarked(2, b"two"), batch(1, b"x")]);
    assert_eq!(scan(&bytes), Ok((bytes.len() - PADDING, 0)));
    for place in starts[1]..starts[2] {
        let mut changed = bytes.clone();
        changed[place] ^= 0x55;
        // A number that is still between its neighbours keeps the order.
        let is_sequence = (starts[1] + 5..starts[1] + START_BYTES).contains(&place);
        assert!(scan(&changed).is_err() || is_sequence, "{place}");
    }
}

#[test]
fn batches_that_are_known_to_be_synced_may_neither_be_cut_nor_missing() {
    let (bytes, starts) = three();
    let (whole, third) = (bytes.len() - PADDING, starts[2]);
    for (cut, synced) in [(third, 2), (third + 1, 2), (starts[1], 1), (0, 0), (whole, 3)] {
        assert!(read_log(&bytes[..cut], synced).is_ok(), "cut at {cut}");
    }
    for (cut, synced) in [(third, 3), (third + 1, 3), (whole - 1, 3), (starts[1], 2), (40, 1)] {
        // The first batch is recognised by its own mark, if that much of it was written.
        let is_unknown = cut < starts[1] && cut < MARK_AT + SEALED_MARK_BYTES;
        assert_eq!(read_log(&bytes[..cut], synced).is_ok(), is_unknown, "cut at {cut}");
    }
    assert!(read_log(&bytes[..starts[1] - 1], 1).is_err());
}

/// Reads a directory with only this journal.
fn read_log(bytes: &[u8], synced: u64) -> Result<Log, Error> {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("0.jnl"), bytes).unwrap();
    Log::read(directory.path(), Some(NONCE), synced)
}

/// With relaxed durability the machine may lose the front of several batches of a new journal.
#[test]
fn unsynced_batches_at_the_front_of_the_only_journal_are_torn() {
    let (mut bytes, starts) = journal(&[
        marked(mark(50, 40), b"one"),
        marked(mark(51, 40), b"two"),
        marked(mark(52, 40), b"three"),
    ]);
    bytes[starts[1] - 20] ^= 1;
    assert_eq!(scan(&bytes), Ok((0, 3)));
    bytes[..starts[1]].fill(0);
    assert_eq!(scan(&bytes), Ok((0, 3)));
}
