//! The write-ahead log: every commit, in order, before it is in a table file.
//!
//! The log is a directory of segments. A segment is a head and frames, one a commit; each frame has the
//! number after that of the frame before it and the checksum of it, so that no frame can be changed, left
//! out, moved or added without being noticed. When enough rows have been written, the segment ends with a
//! frame that says so, the rows go to table files in the background, and when these are registered the
//! segment is removed.
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
