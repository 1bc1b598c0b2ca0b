//! A look at fjall's journals before fjall opens them.
//!
//! A journal is a row of batches, each with a checksum, in a file padded with zeros. What fjall 3.1.13
//! does with a journal that is not whole does not fit our promises: a page of the last batch that
//! did not reach the disk before a power failure keeps the database from opening for ever, and a
//! damaged record in an early batch makes it forget every batch behind, without an error. So the
//! journals are read here first: the torn end of the newest one is cut off, and damage anywhere
//! else is an error.
//!
//! Batches are `1 · item count (4) · sequence number (8) · items · 3 · XXH3-64 of the items (8) · FJL3`;
//! items are `2 · kind (1) · compression (1) · keyspace (8) · key length (2) · value length (4) ·
//! stored length (4) · key · value` or `4 · keyspace (8)`; all integers are little-endian.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::error::Error;
use crate::layout::Malformed;
use crate::layout::varint::{take, take_byte};

const BATCH_START: u8 = 1;
const ITEM: u8 = 2;
const BATCH_END: u8 = 3;
const CLEAR: u8 = 4;
const BATCH_MAGIC: &[u8; 4] = b"FJL\x03";
const START_BYTES: usize = 13;

/// What follows the whole batches of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Nothing but padding.
    Clean,
    /// A batch that was never completed, from this byte on.
    Torn { at: usize },
    /// Damage at this byte, with whole batches behind it.
    Damaged { at: usize },
}

/// Makes the journals below `rows` fit to be opened.
pub(super) fn repair(rows: &Path) -> Result<(), Error> {
    let mut journals = journals(rows).map_err(|error| unreadable(rows, &error))?;
    journals.sort_unstable();
    let newest = journals.last().map(|(number, _)| *number);
    for (number, path) in &journals {
        if is_hole(path).map_err(|error| unreadable(path, &error))? {
            continue;
        }
        let bytes = fs::read(path).map_err(|error| unreadable(path, &error))?;
        match scan(&bytes) {
            End::Clean => {}
            End::Torn { at } if Some(*number) == newest => {
                cut(path, at as u64).map_err(|error| unreadable(path, &error))?;
            }
            End::Torn { at } | End::Damaged { at } => {
                return Err(Error::Corrupted(format!(
                    "{} is damaged at byte {at}; restore the database from a backup",
                    path.display()
                )));
            }
        }
    }
    Ok(())
}

fn unreadable(path: &Path, error: &std::io::Error) -> Error {
    Error::Open(format!("{} can't be read: {error}", path.display()))
}

fn journals(rows: &Path) -> std::io::Result<Vec<(u64, PathBuf)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(rows)? {
        let path = entry?.path();
        let number =
            path.file_name().and_then(|name| name.to_str()?.strip_suffix(".jnl")?.parse().ok());
        found.extend(number.map(|number| (number, path)));
    }
    Ok(found)
}

/// Whether nothing was ever written to the file. A new journal is 64 MiB of that, which takes longer
/// to read than everything else that opening a new database does.
#[cfg(unix)]
fn is_hole(path: &Path) -> std::io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    Ok(fs::metadata(path)?.blocks() == 0)
}

#[cfg(not(unix))]
fn is_hole(_: &Path) -> std::io::Result<bool> {
    Ok(false)
}

fn cut(path: &Path, length: u64) -> std::io::Result<()> {
    let file = OpenOptions::new().write(true).open(path)?;
    file.set_len(length)?;
    file.sync_all()
}

fn scan(bytes: &[u8]) -> End {
    let mut rest = bytes;
    let mut newest_sequence = 0;
    while let Ok(sequence) = read_batch(&mut rest) {
        newest_sequence = sequence;
    }
    if rest.iter().all(|&byte| byte == 0) {
        return End::Clean;
    }
    let at = bytes.len() - rest.len();
    // A batch starts where another one ends; a whole one with a later number was acknowledged.
    let later_batch = rest.windows(BATCH_MAGIC.len()).enumerate().any(|(place, window)| {
        window == BATCH_MAGIC
            && read_batch(&mut &rest[place + BATCH_MAGIC.len()..])
                .is_ok_and(|sequence| sequence > newest_sequence)
    });
    if later_batch { End::Damaged { at } } else { End::Torn { at } }
}

/// Reads one whole batch from the front of `input` and returns its sequence number; leaves `input`
/// alone if there is none.
fn read_batch(input: &mut &[u8]) -> Result<u64, Malformed> {
    const BAD: Malformed = Malformed("no whole batch");
    let mut rest = *input;
    if take_byte(&mut rest)? != BATCH_START {
        return Err(BAD);
    }
    let count = take_integer(&mut rest, 4)?;
    let sequence = take_integer(&mut rest, 8)?;
    for _ in 0..count {
        skip_item(&mut rest)?;
    }
    let items = &input[START_BYTES..input.len() - rest.len()];
    let is_whole = take_byte(&mut rest)? == BATCH_END
        && take_integer(&mut rest, 8)? == xxh3_64(items)
        && take(&mut rest, BATCH_MAGIC.len())? == BATCH_MAGIC;
    if !is_whole {
        return Err(BAD);
    }
    *input = rest;
    Ok(sequence)
}

fn skip_item(input: &mut &[u8]) -> Result<(), Malformed> {
    match take_byte(input)? {
        ITEM => {
            take(input, 1 + 1 + 8)?;
            let key_length = take_integer(input, 2)?;
            take(input, 4)?;
            let stored_length = take_integer(input, 4)?;
            take(input, key_length as usize)?;
            take(input, stored_length as usize)?;
        }
        CLEAR => drop(take(input, 8)?),
        _ => return Err(Malformed("unknown item in a journal")),
    }
    Ok(())
}

fn take_integer(input: &mut &[u8], length: usize) -> Result<u64, Malformed> {
    let bytes = take(input, length)?;
    Ok(bytes.iter().rev().fold(0, |integer, &byte| integer << 8 | u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(sequence: u64, value: &[u8]) -> Vec<u8> {
        let mut item = vec![ITEM, 0, 0];
        item.extend_from_slice(&7u64.to_le_bytes());
        item.extend_from_slice(&3u16.to_le_bytes());
        item.extend_from_slice(&(value.len() as u32).to_le_bytes());
        item.extend_from_slice(&(value.len() as u32).to_le_bytes());
        item.extend_from_slice(b"key");
        item.extend_from_slice(value);
        let mut out = vec![BATCH_START];
        out.extend_from_slice(&1u32.to_le_bytes());
        out.extend_from_slice(&sequence.to_le_bytes());
        out.extend_from_slice(&item);
        out.push(BATCH_END);
        out.extend_from_slice(&xxh3_64(&item).to_le_bytes());
        out.extend_from_slice(BATCH_MAGIC);
        out
    }

    /// Three batches and padding, and where the third starts.
    fn journal() -> (Vec<u8>, usize) {
        let mut bytes = [batch(1, b"one"), batch(2, b"two")].concat();
        let third = bytes.len();
        bytes.extend(batch(3, b"three"));
        bytes.resize(bytes.len() + 100, 0);
        (bytes, third)
    }

    /// The sequence number is the one part of a batch that its checksum does not cover.
    fn is_covered(place: usize, batch_at: usize) -> bool {
        !(batch_at + 5..batch_at + START_BYTES).contains(&place)
    }

    #[test]
    fn whole_batches_and_padding_are_clean() {
        assert_eq!(scan(&journal().0), End::Clean);
        assert_eq!(scan(&[0; 64]), End::Clean);
        assert_eq!(scan(&[]), End::Clean);
    }

    #[test]
    fn a_last_batch_that_is_not_whole_is_torn_wherever_it_is_cut_or_changed() {
        let (bytes, third) = journal();
        let end = bytes.len() - 100;
        for place in third..end {
            if is_covered(place, third) {
                let mut changed = bytes.clone();
                changed[place] ^= 0x55;
                assert_eq!(scan(&changed), End::Torn { at: third }, "changed at {place}");
            }
            let cut = &bytes[..place];
            let expected = if place == third { End::Clean } else { End::Torn { at: third } };
            assert_eq!(scan(cut), expected, "cut at {place}");
        }
    }

    #[test]
    fn damage_in_front_of_a_whole_batch_is_told_from_a_torn_end() {
        let (bytes, third) = journal();
        let second = batch(1, b"one").len();
        let covered = |place: &usize| is_covered(*place, second);
        for place in (second..third - BATCH_MAGIC.len()).filter(covered) {
            let mut changed = bytes.clone();
            changed[place] ^= 0x55;
            assert_eq!(scan(&changed), End::Damaged { at: second }, "changed at {place}");
        }
    }
}
