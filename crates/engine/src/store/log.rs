//! The write-ahead log: every commit, in order, before it is in a table file.
//!
//! The log is a directory of segments. A segment is a head and frames, one per commit; each frame
//! contains the number after that of the previous frame, and its checksum, so that no frame can be
//! changed, left out, moved or added without being detected. When enough rows have been written,
//! the segment ends with an end frame, the rows are flushed to table files in the background, and
//! when these are registered the segment is removed.
//!
//! Nothing is changed while a log is read; [`Log::recover`] then removes the unfinished end of the newest
//! segment.

mod frame;
mod read;
mod segment;
mod write;

pub(super) use frame::{Frame, Kind};
pub(super) use read::{Log, visit};
pub(super) use segment::{name, remove};
pub(super) use write::{Position, Writer};
