//! HackTracker: softball teams, rosters, games and batting statistics.
//!
//! Managers keep a roster and a schedule, a scorekeeper records plate appearances while a game is
//! played, and players see their statistics across teams.

mod api;
pub mod app;
pub mod demo;
mod host;
mod jobs;
pub mod legacy;
mod pages;
pub mod policy;
pub mod refusal;
pub mod rules;
pub mod table;

pub use api::service;
pub use app::App;
pub use host::HackTrackerService;
