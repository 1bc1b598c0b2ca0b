//! Reading a log: complete frames, incomplete frames, and damage.

use std::io::{Seek as _, SeekFrom, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::frame::{self, Frame, Kind};
use super::segment::{self, HEAD_BYTES, SegmentHead};
use super::write::Position;
use crate::error::Error;
use crate::store::failure::{damaged, io_failure, missing};
use crate::store::nonce::Nonce;

/// A log that is complete, except perhaps for its end.
pub(in crate::store) struct Log {
    /// From the oldest to the newest; at least one.
    pub(in crate::store) segments: Vec<Segment>,
    /// Where it continues.
    pub(in crate::store) position: Position,
    nonce: Nonce,
    /// The position of the first frame in the newest segment that is not known to be synced.
    unsynced_at: u64,
}

/// A file of the log.
pub(in crate::store) struct Segment {
    pub(in crate::store) path: PathBuf,
    pub(in crate::store) head: SegmentHead,
    /// The number after that of its last frame.
    pub(in crate::store) next: u64,
    /// Whether it ends with an end frame. Only the newest may not.
    pub(in crate::store) is_ended: bool,
    /// The end of its complete frames.
    pub(in crate::store) end: u64,
    /// What follows them; only in the newest.
    pub(in crate::store) torn: Option<Torn>,
}

/// Frames that were never completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) struct Torn {
    pub(in crate::store) bytes: u64,
    pub(in crate::store) frames: u64,
}

/// Why a segment is invalid.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Damage {
    pub(super) at: usize,
    pub(super) reason: &'static str,
}

impl Log {
    /// Reads the log in a directory, which must contain everything that was synced, up to the frame
    /// with that number.
    pub(in crate::store) fn read(log: &Path, nonce: Nonce, synced: u64) -> Result<Self, Error> {
        let files = segment::list(log)?;
        let mut reader = Reader { nonce, synced, position: None, unsynced_at: 0 };
        let mut segments: Vec<Segment> = Vec::with_capacity(files.len());
        for (number, path) in files {
            if let Some(before) = segments.last() {
                before.check_is_ended()?;
            }
            let bytes = segment::read(&path)?;
            let scanned = reader.scan(&bytes, number).map_err(|damage| damage.of(&path))?;
            let Scanned { head, next, is_ended, end, torn } = scanned;
            segments.push(Segment { path, head, next, is_ended, end, torn });
        }
        let (Some(newest), Some(position)) = (segments.last(), reader.position) else {
            return Err(missing(log, ""));
        };
        let missing = (synced + 1).saturating_sub(position.next);
        if missing > 0 {
            return Err(damaged(
                &newest.path,
                &format!("damaged at byte {}: {missing} synced frames are missing", newest.end),
            ));
        }
        Ok(Self { segments, position, nonce, unsynced_at: reader.unsynced_at })
    }

    /// Returns the newest segment.
    pub(in crate::store) fn newest(&self) -> &Segment {
        &self.segments[self.segments.len() - 1]
    }

    /// Visits the frames after one, which are complete.
    pub(in crate::store) fn replay(
        &self,
        after: u64,
        mut visit: impl FnMut(&Segment, &Frame<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for segment in self.segments.iter().filter(|segment| segment.next > after + 1) {
            let bytes = segment::read(&segment.path)?;
            let mut rest = bytes.get(HEAD_BYTES..segment.end as usize).unwrap_or_default();
            while let Some(frame) = frame::take(&mut rest, self.nonce) {
                if frame.head.number > after {
                    visit(segment, &frame)?;
                }
            }
            if !rest.is_empty() {
                return Err(damaged(&segment.path, "damaged: it changed while it was read"));
            }
        }
        Ok(())
    }

    /// Removes incomplete frames. Complete frames that may not be on the disk are written once
    /// more: a sync that failed leaves them in memory only, where a later sync does not find them.
    pub(in crate::store) fn recover(&self) -> Result<(), Error> {
        let newest = self.newest();
        let recover = || {
            let mut file = segment::open(&newest.path)?;
            file.set_len(newest.end)?;
            let bytes = std::fs::read(&newest.path)?;
            file.seek(SeekFrom::Start(self.unsynced_at))?;
            file.write_all(bytes.get(self.unsynced_at as usize..).unwrap_or_default())?;
            file.sync_all()
        };
        recover().map_err(|error: std::io::Error| io_failure(&newest.path, "recovered", &error))?;
        newest.path.parent().map_or(Ok(()), segment::remove_drafts)
    }
}

impl Segment {
    /// Cuts the file off after its complete frames.
    pub(in crate::store) fn cut(&self) -> Result<(), Error> {
        let cut = || {
            let file = segment::open(&self.path)?;
            file.set_len(self.end)?;
            file.sync_all()
        };
        cut().map_err(|error| io_failure(&self.path, "shortened", &error))
    }

    /// Checks that this segment, which is followed by another one, is complete.
    fn check_is_ended(&self) -> Result<(), Error> {
        if self.is_ended && self.torn.is_none() {
            return Ok(());
        }
        let reason = "it ends in an unfinished frame, though later segments follow";
        Err(Damage { at: self.end as usize, reason }.of(&self.path))
    }
}

impl Damage {
    fn of(&self, path: &Path) -> Error {
        damaged(path, &format!("damaged at byte {}: {}", self.at, self.reason))
    }
}

/// Visits the frames of a segment, which must follow those before it, until `visit` stops. Returns
/// the end of the segment.
pub(in crate::store) fn visit(
    path: &Path,
    bytes: &[u8],
    number: u64,
    nonce: Nonce,
    previous: Option<Position>,
    visit: &mut dyn FnMut(&Frame<'_>) -> Result<ControlFlow<()>, Error>,
) -> Result<Position, Error> {
    let mut reader = Reader { nonce, synced: 0, position: previous, unsynced_at: 0 };
    let scanned = reader.scan(bytes, number).map_err(|damage| damage.of(path))?;
    let mut rest = bytes.get(HEAD_BYTES..scanned.end as usize).unwrap_or_default();
    while let Some(frame) = frame::take(&mut rest, nonce) {
        if visit(&frame)?.is_break() {
            break;
        }
    }
    reader.position.ok_or_else(|| damaged(path, "damaged at byte 0: it has no frames"))
}

/// Follows the frames of all segments.
pub(super) struct Reader {
    pub(super) nonce: Nonce,
    /// The newest frame that is known to have been synced; 0 if none is.
    pub(super) synced: u64,
    /// After the last frame; `None` before the first segment.
    pub(super) position: Option<Position>,
    /// The position of the first frame in the last segment that is not known to be synced.
    pub(super) unsynced_at: u64,
}

/// The contents of a segment.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Scanned {
    pub(super) head: SegmentHead,
    pub(super) next: u64,
    pub(super) is_ended: bool,
    pub(super) end: u64,
    pub(super) torn: Option<Torn>,
}

impl Reader {
    /// Reads the segment of this number.
    pub(super) fn scan(&mut self, bytes: &[u8], number: u64) -> Result<Scanned, Damage> {
        let head = SegmentHead::parse(bytes, self.nonce, number)
            .map_err(|reason| Damage { at: 0, reason })?;
        let mut position = Position { next: head.first, previous: head.previous, sequence: 0 };
        if let Some(before) = self.position {
            if (before.next, before.previous) != (head.first, head.previous) {
                let reason = "the segment does not follow the one before it";
                return Err(Damage { at: 0, reason });
            }
            position.sequence = before.sequence;
        }
        let mut rest = bytes.get(HEAD_BYTES..).unwrap_or_default();
        let mut end = HEAD_BYTES;
        let mut is_ended = false;
        self.unsynced_at = HEAD_BYTES as u64;
        while !is_ended && let Some(frame) = frame::take(&mut rest, self.nonce) {
            if (frame.head.number, frame.head.previous) != (position.next, position.previous) {
                let reason = "the frame does not follow the one before it";
                return Err(Damage { at: end, reason });
            }
            position = Position {
                next: frame.head.number + 1,
                previous: frame.checksum,
                sequence: frame.head.sequence,
            };
            is_ended = frame.head.kind == Kind::End;
            end = bytes.len() - rest.len();
            if frame.head.number <= self.synced {
                self.unsynced_at = end as u64;
            }
        }
        self.position = Some(position);
        let torn = self
            .torn(without_padding(rest), position.next, is_ended)
            .map_err(|reason| Damage { at: end, reason })?;
        Ok(Scanned { head, next: position.next, is_ended, end: end as u64, torn })
    }

    /// Decides what follows the complete frames: nothing, incomplete frames, or damage.
    fn torn(&self, rest: &[u8], next: u64, is_ended: bool) -> Result<Option<Torn>, &'static str> {
        if rest.is_empty() {
            return Ok(None);
        }
        if is_ended {
            return Err("something follows the end of the segment");
        }
        let mut synced = self.synced;
        let mut frames = 1;
        // A value can't imitate a head, because its author does not know the nonce.
        for (at, head) in frame::heads(rest, self.nonce) {
            synced = synced.max(head.synced);
            frames += u64::from(at > 0);
        }
        if synced >= next {
            return Err("a frame that was synced is not whole");
        }
        Ok(Some(Torn { bytes: rest.len() as u64, frames }))
    }
}

/// Returns the bytes before the padding.
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

#[cfg(test)]
mod tests;
