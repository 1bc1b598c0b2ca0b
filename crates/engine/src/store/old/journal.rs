//! The journals of formats 1 and 2, which belonged to [fjall](https://docs.rs/fjall) 3.
//!
//! A journal is a sequence of batches, each with a checksum, in a file padded with zeros. Nothing is written
//! while they are read.
//!
//! Batches are `1 · item count (4) · sequence number (8) · items · 3 · XXH3-64 of the items (8) · FJL3`;
//! items are `2 · kind (1) · compression (1) · keyspace (8) · key length (2) · value length (4) ·
//! stored length (4) · key · value` or `4 · keyspace (8)`; all integers are little-endian. The first
//! item of a batch is its [`Mark`].

use std::fs;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::mark::{MARK_KEY, Mark, SEALED_MARK_BYTES};
use crate::error::Error;
use crate::layout::Malformed;
use crate::layout::varint::{take, take_byte};
use crate::store::failure::{damaged, io_failure, missing};
use crate::store::nonce::Nonce;

const BATCH_START: u8 = 1;
const ITEM: u8 = 2;
const BATCH_END: u8 = 3;
const CLEAR: u8 = 4;
/// The kind of an item that has a value; others are removals.
const VALUE: u8 = 0;
/// The keyspace with our rows; the other one was fjall's own.
const ROWS_KEYSPACE: u64 = 1;
const BATCH_MAGIC: &[u8; 4] = b"FJL\x03";
const START_BYTES: usize = 13;
const ITEM_HEADER_BYTES: usize = 21;
/// The position of the mark, and with it the nonce, in a batch.
const MARK_AT: usize = START_BYTES + ITEM_HEADER_BYTES + MARK_KEY.len();
/// How many sequence numbers flushes and compactions may take between the creation of a mark and
/// its batch. Two or three is usual; the bound keeps a changed number from using up all remaining
/// numbers.
const SEQUENCE_SLACK: u64 = 1 << 16;

/// The contents of the journals.
pub(super) struct Log {
    /// From the oldest to the newest.
    pub(super) journals: Vec<Journal>,
    /// The mark of the newest batch.
    pub(super) newest: Option<Mark>,
}

/// One journal.
pub(super) struct Journal {
    pub(super) path: PathBuf,
    /// The end of its complete batches.
    pub(super) end: u64,
    pub(super) torn: Option<Torn>,
}

/// Batches at the end of the newest journal that were never completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Torn {
    pub(super) bytes: u64,
    pub(super) batches: u64,
}

/// Why a journal is invalid.
#[derive(Debug, PartialEq, Eq)]
struct Damage {
    at: usize,
    reason: &'static str,
}

impl Log {
    /// Reads the journals below `rows`, which must contain everything that was synced, up to the
    /// batch with that number. Without a nonce their batches have no marks: format 1.
    pub(super) fn read(rows: &Path, nonce: Option<Nonce>, synced: u64) -> Result<Self, Error> {
        let files = files(rows)?;
        let newest = files.len() - 1;
        let mut reader = Reader { nonce, synced, sequence: None, mark: None };
        let mut journals = Vec::with_capacity(files.len());
        for (index, path) in files.into_iter().enumerate() {
            let bytes = read_written(&path).map_err(|error| io_failure(&path, "read", &error))?;
            let is_damaged = |damage: Damage| {
                damaged(&path, &format!("damaged at byte {}: {}", damage.at, damage.reason))
            };
            let (end, torn) = reader.scan(&bytes).map_err(is_damaged)?;
            if torn.is_some() && index != newest {
                let reason = "it ends in an unfinished batch, though later journals follow";
                return Err(is_damaged(Damage { at: end, reason }));
            }
            journals.push(Journal { path, end: end as u64, torn });
        }
        let log = Self { journals, newest: reader.mark };
        log.check_end(log.newest, synced)?;
        Ok(log)
    }

    /// Refuses journals that lost batches at their end. If `newest` is unknown they may all be in
    /// tables.
    pub(super) fn check_end(&self, newest: Option<Mark>, synced: u64) -> Result<(), Error> {
        let missing = newest.map_or(0, |newest| synced.saturating_sub(newest.number));
        match self.journals.last() {
            Some(journal) if missing > 0 => Err(damaged(
                &journal.path,
                &format!("damaged at byte {}: {missing} synced batches are missing", journal.end),
            )),
            _ => Ok(()),
        }
    }

    /// Returns the newest journal, if it ends in batches that were never completed.
    pub(super) fn torn_end(&self) -> Option<(&Journal, Torn)> {
        let newest = self.journals.last()?;
        Some((newest, newest.torn?))
    }

    /// Visits the rows of every complete batch, with the sequence number of the batch.
    pub(super) fn rows(&self, mut visit: impl FnMut(u64, &JournalRow<'_>)) -> Result<(), Error> {
        for journal in &self.journals {
            let path = &journal.path;
            let bytes = read_written(path).map_err(|error| io_failure(path, "read", &error))?;
            let mut rest = bytes.get(..journal.end as usize).unwrap_or_default();
            while let Ok(batch) = read_batch(&mut rest) {
                let mut items = batch.items;
                while let Ok(item) = take_item(&mut items) {
                    if item.keyspace == ROWS_KEYSPACE {
                        visit(batch.sequence, &item);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Returns the journals below `rows`, the oldest first. They are numbered without gaps.
fn files(rows: &Path) -> Result<Vec<PathBuf>, Error> {
    let unreadable = |error| io_failure(rows, "read", &error);
    let mut found = Vec::new();
    for entry in fs::read_dir(rows).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let path = entry.path();
        if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jnl")) {
            continue;
        }
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_suffix(".jnl")?.parse::<u64>().ok());
        match number {
            Some(number) if path.is_file() => found.push((number, path)),
            _ => {
                return Err(Error::Open(format!(
                    "{} is not a journal; move it to another directory",
                    path.display()
                )));
            }
        }
    }
    found.sort_unstable();
    let Some((first, _)) = found.first() else {
        return Err(missing(&rows.join("0.jnl"), "or a journal with a higher number"));
    };
    if let Some((number, _)) = (*first..).zip(&found).find(|(number, (of, _))| number != of) {
        return Err(missing(&rows.join(format!("{number}.jnl")), "though later journals exist"));
    }
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

/// Returns the bytes of a file; none if nothing was ever written to it. A new journal is 64 MiB of
/// holes, which takes longer to read than everything else that opening a new database does.
fn read_written(path: &Path) -> std::io::Result<Vec<u8>> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if fs::metadata(path)?.blocks() == 0 {
            return Ok(Vec::new());
        }
    }
    fs::read(path)
}

/// Follows the batches of all journals.
struct Reader {
    nonce: Option<Nonce>,
    /// The newest batch that is known to have been synced; 0 if none is.
    synced: u64,
    /// The sequence number of the last batch.
    sequence: Option<u64>,
    /// The mark of the last batch.
    mark: Option<Mark>,
}

/// A complete batch.
struct Batch<'a> {
    sequence: u64,
    mark: Option<Mark>,
    items: &'a [u8],
}

impl Reader {
    /// Reads a journal, and returns the end of its complete batches and what follows them.
    fn scan(&mut self, bytes: &[u8]) -> Result<(usize, Option<Torn>), Damage> {
        let bytes = without_padding(bytes);
        let mut rest = bytes;
        loop {
            let at = bytes.len() - rest.len();
            let Ok(batch) = read_batch(&mut rest) else {
                let torn = self.torn(rest).map_err(|reason| Damage { at, reason })?;
                return Ok((at, torn));
            };
            self.follow(&batch).map_err(|reason| Damage { at, reason })?;
        }
    }

    /// Accepts the next batch, if it follows those before it.
    fn follow(&mut self, batch: &Batch<'_>) -> Result<(), &'static str> {
        if self.sequence.is_some_and(|last| batch.sequence <= last) {
            return Err("the sequence number of the batch is not above the one before it");
        }
        if let Some(nonce) = self.nonce {
            match (batch.mark, self.mark) {
                (Some(mark), last) => {
                    if mark.nonce != nonce {
                        return Err("the batch belongs to another database");
                    }
                    if last.is_some_and(|last| mark.number != last.number + 1) {
                        return Err("batches before this one are missing");
                    }
                    let sequences =
                        mark.sequence_min..=mark.sequence_min.saturating_add(SEQUENCE_SLACK);
                    if !sequences.contains(&batch.sequence)
                        || self.sequence.is_some_and(|last| last >= mark.sequence_min)
                    {
                        return Err("a sequence number was changed here or in the batch before");
                    }
                    self.mark = Some(mark);
                }
                // A database of format 1 had no marks; from the first one on, every batch has one.
                (None, None) => {}
                (None, Some(_)) => return Err("the batch has no mark"),
            }
        }
        self.sequence = Some(batch.sequence);
        Ok(())
    }

    /// Decides what follows the complete batches: nothing, incomplete batches, or damage.
    fn torn(&self, rest: &[u8]) -> Result<Option<Torn>, &'static str> {
        const SYNCED: &str = "a batch that was synced is not whole";
        if rest.is_empty() {
            return Ok(None);
        }
        let Some(nonce) = self.nonce else {
            let torn = Torn { bytes: rest.len() as u64, batches: 1 };
            return if has_later_batch(rest, self.sequence) { Err(SYNCED) } else { Ok(Some(torn)) };
        };
        // A value can't imitate a mark, because its author does not know the nonce. The first batch
        // has its own mark at the front, if that much of it was written.
        let mut marks = marks(rest, nonce).peekable();
        let own = marks.next_if(|(at, _)| *at == 0).map(|(_, mark)| mark.number);
        let follower = marks.peek().map(|(_, mark)| mark.number.saturating_sub(1));
        let number = self.mark.map(|last| last.number + 1).or(own).or(follower);
        let mut batches = 1;
        let mut synced = self.synced;
        for (_, mark) in marks {
            synced = synced.max(mark.synced);
            batches += 1;
        }
        if number.is_some_and(|number| synced >= number) {
            return Err(SYNCED);
        }
        Ok(Some(Torn { bytes: rest.len() as u64, batches }))
    }
}

/// Returns the marks in `bytes`, with the positions of their batches.
fn marks(bytes: &[u8], nonce: Nonce) -> impl Iterator<Item = (usize, Mark)> {
    let places = bytes.windows(nonce.0.len()).enumerate();
    places.filter(move |(_, window)| *window == nonce.0).filter_map(|(place, _)| {
        let sealed = bytes.get(place..place + SEALED_MARK_BYTES)?;
        Some((place.checked_sub(MARK_AT)?, Mark::from_sealed(sealed)?))
    })
}

/// Returns whether a complete batch of format 1 with a later number follows anywhere.
fn has_later_batch(rest: &[u8], sequence: Option<u64>) -> bool {
    rest.windows(BATCH_MAGIC.len()).enumerate().any(|(place, window)| {
        window == BATCH_MAGIC
            && read_batch(&mut &rest[place + BATCH_MAGIC.len()..])
                .is_ok_and(|batch| Some(batch.sequence) > sequence)
    })
}

/// Returns the bytes before the padding. No batch ends in a zero.
fn without_padding(mut bytes: &[u8]) -> &[u8] {
    const PAGE: [u8; 4096] = [0; 4096];
    while let Some((front, page)) = bytes.split_last_chunk()
        && *page == PAGE
    {
        bytes = front;
    }
    let length = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    &bytes[..length]
}

/// Reads one complete batch from the front of `input`; leaves `input` unchanged if there is none.
fn read_batch<'a>(input: &mut &'a [u8]) -> Result<Batch<'a>, Malformed> {
    const BAD: Malformed = Malformed("no whole batch");
    let mut rest = *input;
    if take_byte(&mut rest)? != BATCH_START {
        return Err(BAD);
    }
    let count = take_integer(&mut rest, 4)?;
    let sequence = take_integer(&mut rest, 8)?;
    let mut mark = None;
    for index in 0..count {
        let item = take_item(&mut rest)?;
        if index == 0 && item.key == MARK_KEY {
            mark = item.value.and_then(Mark::from_sealed);
        }
    }
    let items = &input[START_BYTES..input.len() - rest.len()];
    let is_whole = take_byte(&mut rest)? == BATCH_END
        && take_integer(&mut rest, 8)? == xxh3_64(items)
        && take(&mut rest, BATCH_MAGIC.len())? == BATCH_MAGIC;
    if !is_whole {
        return Err(BAD);
    }
    *input = rest;
    Ok(Batch { sequence, mark, items })
}

/// A row of a batch: a key with its value, or with `None` if it is removed.
pub(super) struct JournalRow<'a> {
    keyspace: u64,
    pub(super) key: &'a [u8],
    pub(super) value: Option<&'a [u8]>,
}

fn take_item<'a>(input: &mut &'a [u8]) -> Result<JournalRow<'a>, Malformed> {
    match take_byte(input)? {
        ITEM => {
            let kind = take_byte(input)?;
            take(input, 1)?;
            let keyspace = take_integer(input, 8)?;
            let key_length = take_integer(input, 2)?;
            take(input, 4)?;
            let stored_length = take_integer(input, 4)?;
            let key = take(input, key_length as usize)?;
            let value = take(input, stored_length as usize)?;
            Ok(JournalRow { keyspace, key, value: (kind == VALUE).then_some(value) })
        }
        CLEAR => {
            take(input, 8)?;
            Ok(JournalRow { keyspace: 0, key: &[], value: None })
        }
        _ => Err(Malformed("unknown item in a journal")),
    }
}

fn take_integer(input: &mut &[u8], length: usize) -> Result<u64, Malformed> {
    let bytes = take(input, length)?;
    Ok(bytes.iter().rev().fold(0, |integer, &byte| integer << 8 | u64::from(byte)))
}

#[cfg(test)]
mod tests;
