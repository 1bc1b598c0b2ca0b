//! HackTracker: softball teams, rosters, games and batting statistics.
//!
//! Managers keep a roster and a schedule, a scorekeeper records plate appearances while a game is
//! played, and players see their statistics across teams.

pub mod app;
pub mod entities;
pub mod ids;
mod legacy;
pub mod patterns;
