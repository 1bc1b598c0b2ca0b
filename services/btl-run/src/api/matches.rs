//! Matches: opening one, looking at it, and keeping it.

pub(crate) mod create;
pub(crate) mod get;
pub(crate) mod pin;
