//! What follows from rows: situations, statistics, tables. Pure functions of what was read, so that an
//! edit or a deletion anywhere shows everywhere at the next look.
//!
//! Nothing here reads or writes the table, or knows who is asking.

pub mod batting;
pub mod box_score;
pub mod career;
pub mod count;
pub mod csv;
pub mod leaders;
pub mod live;
pub mod log;
pub mod player_card;
pub mod rate;
pub mod record;
pub mod roster;
pub mod scope;
pub mod team_stats;

pub use batting::BattingLine;
pub use log::{GameLog, logs};
pub use rate::Rate;
pub use scope::{Progress, Scope};
