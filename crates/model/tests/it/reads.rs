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
mod shared_types;
pub(crate) mod throttled;
mod unreadable;
mod written_out;
