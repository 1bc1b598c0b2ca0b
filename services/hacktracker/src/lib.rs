//! HackTracker: softball teams, rosters, games and batting statistics.
//!
//! Managers keep a roster and a schedule, a scorekeeper records plate appearances while a game is
//! played, and players see their statistics across teams.

mod announce;
mod api;
pub mod app;
mod audit;
pub mod backfill;
pub mod commands;
pub mod demo;
pub mod entities;
mod host;
pub mod ids;
mod jobs;
mod legacy;
pub mod lists;
mod logbook;
mod names;
pub mod patterns;
pub mod policy;
pub mod refusal;
pub mod rules;
mod service;

pub use app::App;
pub use host::HackTrackerService;
pub use service::service;
