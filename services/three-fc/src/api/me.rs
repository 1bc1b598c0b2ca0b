//! The account of the caller.

pub(crate) mod delete;
pub(crate) mod get;
