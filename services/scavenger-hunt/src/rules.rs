//! The rules of a hunt: pure functions, without storage and without a clock of their own.

pub mod clock;
pub mod codes;
pub mod geo;
pub mod hints;
pub mod progress;
pub mod report;
pub mod route;
pub mod scan;
pub mod shuffle;
pub mod standings;
