//! Development only: the oracle, an executable model of DynamoDB, and its comparison with the
//! engine; crashes and failing disks; processes that die between two calls; checkers of the
//! responses to concurrent clients.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a broken expectation is a failed test"
)]

pub mod compare;
pub mod crash;
pub mod executor;
pub mod explore;
#[cfg(feature = "model")]
pub mod failing;
#[cfg(feature = "service")]
pub mod faulty;
pub mod generate;
pub mod history;
pub mod operation;
pub mod oracle;

#[cfg(feature = "service")]
pub mod service;
#[cfg(feature = "model")]
pub mod watched;

mod execute;
mod readable;
mod spell;
mod verify;
