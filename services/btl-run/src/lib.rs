//! btl.run: a battle royale in text.
//!
//! Tributes choose actions, turns are resolved for all of them at once, and a narrator writes the
//! story.

mod api;
pub mod app;
mod change;
pub mod demo;
mod host;
pub mod jobs;
pub mod kv;
pub mod legacy;
pub mod log;
mod log_rows;
mod pages;
pub mod refusal;
pub mod rules;
mod service;
pub mod table;
pub mod tokens;
mod turn;

pub use app::App;
pub use host::BtlRunService;
pub use service::service;
