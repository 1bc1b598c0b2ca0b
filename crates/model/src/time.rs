//! Times in rows: instants, days and epoch seconds, each with one text form that sorts.
//!
//! All three are in UTC and know no time zones: callers compute the days of a zone with [`jiff`],
//! whose types convert from and into these. Nothing here reads a clock.

mod date;
mod epoch;
mod text;
mod timestamp;

pub use date::Date;
pub use epoch::EpochSeconds;
pub use timestamp::Timestamp;

use thiserror::Error as ThisError;

/// The reason why a value is not a time.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
pub enum TimeError {
    /// The text is not a time.
    #[error("`{text}` is not a valid {expected}")]
    Text {
        /// The text.
        text: String,
        /// The expected form, with an example.
        expected: &'static str,
    },
    /// The time is before the year 0000 or after the year 9999.
    #[error("a time outside the years 0000 to 9999 has no text that sorts")]
    Range,
}
