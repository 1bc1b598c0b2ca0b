//! What people see of themselves.

pub(crate) mod export;
pub(crate) mod get;
