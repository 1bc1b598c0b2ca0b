//! The time or period of an export, and its limits.

use monotable_engine::TableSnapshot;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Refusal, Result, recovery_unavailable};
use crate::lifecycle::Shared;
use crate::moment::seconds;

/// The limits of the period of an incremental export, as on AWS.
const WINDOW_MIN_MS: u64 = 15 * 60 * 1000;
const WINDOW_MAX_MS: u64 = 24 * 60 * 60 * 1000;

/// The time or period that an export shows, in milliseconds since the epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportTime {
    /// The table as it is now.
    Now,
    /// The table as it was at this time.
    At(u64),
    /// The changes of a period: an incremental export.
    Window {
        /// Its beginning, which is a part of it.
        from_ms: u64,
        /// Its end, which is not; now if it is not given.
        to_ms: Option<u64>,
        /// The images in it.
        view: ExportView,
    },
}

/// The images of changed items in an incremental export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExportView {
    /// `NEW_IMAGE`
    NewImage,
    /// `NEW_AND_OLD_IMAGES`
    #[default]
    NewAndOldImages,
}

impl ExportView {
    /// Returns AWS's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NewImage => "NEW_IMAGE",
            Self::NewAndOldImages => "NEW_AND_OLD_IMAGES",
        }
    }
}

/// The period of an incremental export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Incremental {
    /// Its beginning, in milliseconds since the epoch, which is a part of it.
    pub from_ms: u64,
    /// Its end, which is not.
    pub to_ms: u64,
    /// The images in it.
    pub view: ExportView,
}

fn invalid(message: impl Into<String>) -> Error {
    Refusal::InvalidExportTime.with(message)
}

impl ExportTime {
    /// Checks the time against AWS's limits, in AWS's order. Returns the period of an incremental
    /// export.
    pub(super) fn checked(self, table: &TableSnapshot, now_ms: u64) -> Result<Option<Incremental>> {
        let (from_ms, to_ms, view) = match self {
            Self::Now => return Ok(None),
            Self::At(at_ms) if at_ms <= now_ms => return Ok(None),
            Self::At(_) => return Err(invalid("Export Time is invalid")),
            Self::Window { from_ms, to_ms, view } => (from_ms, to_ms.unwrap_or(now_ms), view),
        };
        let created_ms = table.definition().description().creation_ms;
        if from_ms < created_ms {
            return Err(invalid(format!(
                "Incremental export period from time cannot be less than the table creation time : {}",
                seconds(created_ms)?
            )));
        }
        if to_ms > now_ms {
            return Err(invalid(format!(
                "Incremental export period to time cannot be greater than the current time : {}",
                seconds(now_ms)?
            )));
        }
        let window_ms = to_ms.saturating_sub(from_ms);
        let problem = match window_ms {
            ..WINDOW_MIN_MS => "less than 15 minutes",
            WINDOW_MIN_MS..=WINDOW_MAX_MS => return Ok(Some(Incremental { from_ms, to_ms, view })),
            _ => "greater than 24 hours",
        };
        Err(invalid(format!(
            "Difference between export period from time and export period to time is {problem}"
        )))
    }
}

impl Shared {
    /// Checks that an earlier time of a table can be exported.
    pub(super) fn check_past(&self, table: &TableSnapshot, from_ms: u64) -> Result<()> {
        if table.definition().description().recovery.is_none() || self.options.history.is_none() {
            return Err(recovery_unavailable(table.name()));
        }
        match self.past_table(table.definition(), from_ms)? {
            Some(_) => Ok(()),
            None => {
                Err(invalid("Point in Time Recovery is not available for specified export time"))
            }
        }
    }
}
