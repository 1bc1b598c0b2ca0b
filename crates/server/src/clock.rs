//! The wall clock of responses and signatures.

use std::cell::{Cell, RefCell};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Returns seconds since 1970.
pub(crate) fn unix_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// The text of the `Date` header, formatted once per second.
#[derive(Debug, Default)]
pub(crate) struct DateText {
    second: Cell<u64>,
    text: RefCell<String>,
}

impl DateText {
    /// Passes the text of this second to a function.
    pub(crate) fn with<T>(&self, use_text: impl FnOnce(&str) -> T) -> T {
        let now = unix_seconds();
        if self.second.replace(now) != now {
            *self.text.borrow_mut() =
                httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(now));
        }
        use_text(&self.text.borrow())
    }
}
