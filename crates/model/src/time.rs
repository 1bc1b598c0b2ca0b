//! Time as rows hold it: instants, days and epoch seconds, each with one text that sorts.
//!
//! All three are UTC and know no zone: a day boundary elsewhere is the caller's business, with
//! [`jiff`], whose types convert from and into these. Nothing here reads a clock.

mod date;
mod epoch;
mod text;
mod timestamp;

pub use date::Date;
pub use epoch::EpochSeconds;
pub use timestamp::Timestamp;

use thiserror::Error as ThisError;

/// Why something is no time.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
pub enum TimeError {
    /// The text is no time.
    #[error("`{text}` is no {expected}")]
    Text {
        /// The text.
        text: String,
        /// What it should have been, with an example.
        expected: &'static str,
    },
    /// The time is before the year 0000 or after the year 9999.
    #[error("a time outside the years 0000 to 9999 has no text that sorts")]
    Range,
}
