//! The rules of the game: what may happen in a match, and its effects.
//!
//! Everything here is a function of its arguments: no storage, no network, no clock, so a match can
//! be replayed from its log and its seed.

pub mod decide;
pub mod erasure;
pub mod events;
pub mod moderation;
pub mod narration;
pub mod redact;
pub mod resolve;
pub mod rng;
pub mod schedule;
pub mod state;
pub mod story;
