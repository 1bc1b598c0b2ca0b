//! Rules that are rows of their own: alone, in transactions, at once, over expiry and over crashes.

mod costs;
mod counters;
mod expiry;
mod guards;
mod idempotency;
mod jobs;
mod lock_histories;
mod locks;
mod logs;
mod rates;
mod record_pages;
mod records;
mod tables;
mod world;
