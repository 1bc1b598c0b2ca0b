//! 3FC: leagues, seasons, match days and live scoring of three-sided football.
//!
//! Three teams play one game of three thirds, and the team that concedes the fewest goals wins. A
//! scorekeeper records goals on a phone, everybody can follow the game, and players claim their profiles.

mod api;
pub mod app;
mod demo;
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
pub use host::ThreeFcService;
