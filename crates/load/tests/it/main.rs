//! The load generator against a server made for the test, which answers as each test wants.

mod client;
mod fake;
mod refusals;
mod runs;
