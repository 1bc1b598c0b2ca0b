//! Typed reads.

mod board;
mod cursors;
mod expiry;
mod filters;
mod native;
mod owners;
mod pages;
mod ranges;
mod requests;
mod results;
mod shards;
pub(crate) mod throttled;
mod unreadable;
mod written_out;
