//! Typed reads.

mod board;
mod cursors;
mod expiry;
mod filters;
mod native;
mod pages;
mod ranges;
mod results;
mod shards;
