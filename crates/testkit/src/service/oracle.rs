//! Oracles: what a service must do, computed in another way.

mod concurrency;
mod expiry;
mod index;

pub use concurrency::all_at_once;
pub use expiry::expired_is_absent;
pub use index::index_differences;
