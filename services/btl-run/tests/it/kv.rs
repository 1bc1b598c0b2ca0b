//! Rows by their keys: as other programs read and write them, and over HTTP.

mod exact;
mod http;
mod lock;
mod older;
mod rows;
