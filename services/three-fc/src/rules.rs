//! The rules of three-sided football: pure functions over what is stored. No storage, no clock.

pub mod assist_network;
pub mod callouts;
pub mod clock;
#[cfg(test)]
mod fixtures;
pub mod goal;
pub mod head_to_head;
pub mod leaderboard;
mod rank;
pub mod result;
pub mod standings;
pub mod thirds;
pub mod timeline;
