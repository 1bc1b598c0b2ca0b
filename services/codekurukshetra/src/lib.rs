//! CodeKurukshetra: registration for a hackathon, with payments.
//!
//! Teams register, choose a track and pay one fee through a payment gateway; organisers see who comes, return
//! money and judge what teams have built. Money decides the shape of it: each step is one transaction, steps only
//! move on, and what the gateway reports may come late, twice, in any order or never.

mod api;
pub mod app;
mod consistency;
mod demo;
mod host;
mod jobs;
pub mod legacy;
mod limits;
mod money;
mod pages;
pub mod policy;
mod razorpay;
pub mod refusal;
pub mod rules;
pub mod table;

pub use api::service;
pub use app::App;
pub use host::CodeKurukshetraService;
