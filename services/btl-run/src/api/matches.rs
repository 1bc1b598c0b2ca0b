//! Matches: creating, showing and keeping them.

pub(crate) mod create;
pub(crate) mod get;
pub(crate) mod pin;
