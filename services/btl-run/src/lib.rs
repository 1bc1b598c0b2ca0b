//! btl.run: a battle royale in text.
//!
//! Tributes say what they do, turns are resolved for all of them at once, and a narrator tells the
//! story.

mod api;
pub mod app;
pub mod budget;
mod change;
pub mod commands;
pub mod demo;
pub mod erase;
mod host;
mod http;
pub mod kv;
pub mod legacy;
pub mod log;
mod log_rows;
pub mod narration;
mod queue;
mod rate;
pub mod refusal;
pub mod rules;
mod service;
pub mod story;
pub mod table;
pub mod tokens;
mod turn;
pub mod work;

pub use app::App;
pub use host::BtlRunService;
pub use service::service;
