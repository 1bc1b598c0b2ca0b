//! Oracles: the behaviour of a service, computed in another way.

mod concurrency;
mod expiry;
mod index;

pub use concurrency::all_at_once;
pub use expiry::expired_is_absent;
pub use index::index_differences;
