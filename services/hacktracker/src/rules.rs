//! The rules of the game: pure functions of what was read. Nothing here reads or writes the table, asks for
//! the time, or knows who is calling.

pub(crate) mod batting_order;
pub(crate) mod insertion;
pub(crate) mod lineup;
pub(crate) mod play;
pub(crate) mod scoring;
pub(crate) mod transitions;
