//! The server from outside: raw bytes over TCP, polite and hostile.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod abuse;
mod client;
mod fixture;
#[cfg(target_os = "linux")]
mod memory;
mod pages;
mod protocol;
mod shutdown;
mod signatures;
mod site;
mod start;
mod tls;
