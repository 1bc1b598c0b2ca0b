//! The rules of the game, and the statistics that follow from at-bats.
//!
//! Pure functions of the stored rows, so that every correction and deletion is visible in the next
//! request. Nothing here reads or writes the table, uses the clock, or knows the caller.

pub mod bases;
pub mod batting;
pub(crate) mod batting_order;
pub mod box_score;
pub mod career;
pub mod count;
pub mod csv;
pub(crate) mod insertion;
pub mod leaders;
pub(crate) mod lineup;
pub mod live;
pub mod log;
pub(crate) mod names;
pub(crate) mod play;
pub mod player_card;
pub mod rate;
pub mod record;
pub mod results;
pub mod roster;
pub mod scope;
pub(crate) mod scoring;
pub mod team_stats;
pub(crate) mod transitions;

pub use batting::BattingLine;
pub use log::{GameLog, logs};
pub use rate::Rate;
pub use scope::{Progress, Scope};
