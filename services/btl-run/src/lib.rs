//! btl.run: a battle royale in text.
//!
//! Tributes say what they do, turns are resolved for all of them at once, and a narrator tells the
//! story. Everything in these modules is a function of its arguments: no storage, no network, no clock,
//! so that anybody can play a match again from its log and its seed.

pub mod app;
pub mod budget;
mod change;
pub mod commands;
pub mod decide;
pub mod demo;
pub mod erase;
pub mod events;
mod host;
mod http;
pub mod ids;
pub mod kv;
pub mod legacy;
pub mod log;
mod log_rows;
pub mod moderation;
pub mod narration;
pub mod patterns;
mod queue;
mod rate;
pub mod redact;
pub mod resolve;
pub mod rng;
pub mod rows;
pub mod schedule;
pub mod state;
pub mod story;
pub mod tokens;
pub mod work;

pub use app::App;
pub use host::BtlRunService;
pub use http::service;
