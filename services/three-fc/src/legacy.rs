//! Rows of older programs: how they are read, and the backfill that brings them up to date.

pub(crate) mod addresses;
pub mod backfill;
pub(crate) mod games;
pub(crate) mod whole;
