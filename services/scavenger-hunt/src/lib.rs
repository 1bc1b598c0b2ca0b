//! ScavengerHunt: team hunts with clue characters, scans, photos and positions.
//!
//! Teams walk a route of places. At each place a character gives clues to the next one; scanning the code there brings the team
//! on, and the first team at its last place wins.

mod api;
pub mod app;
mod demo;
mod host;
mod jobs;
mod legacy;
mod limits;
mod pages;
pub mod policy;
pub mod refusal;
pub mod rules;
pub mod table;
pub mod tokens;

pub use api::service;
pub use app::{App, TOKENS_MAX};
pub use host::ScavengerHuntService;
