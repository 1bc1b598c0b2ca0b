//! Rules that are rows of their own: alone, in transactions, at once, over expiry and over crashes.

mod costs;
mod counters;
mod expiry;
mod guards;
mod idempotency;
mod jobs;
pub(crate) mod keys;
mod lock_histories;
mod locks;
mod logs;
mod rates;
mod record_pages;
mod records;
mod sweep;
mod tables;
mod world;
