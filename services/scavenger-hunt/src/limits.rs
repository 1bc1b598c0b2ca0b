//! How many codes a player may try. The counts are kept in this process: a code has 130 bits, so that they only protect the
//! process from useless work.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use monotable::model::time::Timestamp;
use monotable_kit::{CallLimit, Problem};

use crate::table::UserId;

const SCANS: CallLimit = CallLimit::per_minute("scan", 30);
const MINUTE_MS: i64 = 60_000;

/// The scans of the present minute, by player.
#[derive(Debug, Default)]
pub(crate) struct ScansOfMinute(Mutex<(i64, HashMap<UserId, u32>)>);

impl ScansOfMinute {
    /// Counts a scan.
    ///
    /// # Errors
    /// Returns 429 if the limit is reached.
    pub(crate) fn admit(&self, user_id: &UserId, now: Timestamp) -> Result<(), Problem> {
        let minute = now.as_ms().div_euclid(MINUTE_MS);
        let mut scans = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if scans.0 != minute {
            *scans = (minute, HashMap::new());
        }
        let count = scans.1.entry(user_id.clone()).or_default();
        *count = count.saturating_add(1);
        if *count <= SCANS.window.limit {
            return Ok(());
        }
        let left_ms = MINUTE_MS - now.as_ms().rem_euclid(MINUTE_MS);
        Err(SCANS.reached(left_ms.unsigned_abs().div_ceil(1_000)))
    }
}
