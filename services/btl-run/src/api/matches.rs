//! Matches: opening one, and looking at it.

pub(crate) mod create;
pub(crate) mod get;
