//! The organisers' pages.

pub(crate) mod board;
pub(crate) mod judging;
pub(crate) mod log;
pub(crate) mod settings;
pub(crate) mod team;
