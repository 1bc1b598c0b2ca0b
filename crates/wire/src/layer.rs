//! AWS checks a request in one of two layers, which report the same problem with different
//! messages. The operation decides which one, and whether the current layer can read the request at
//! all.

use monotable_types::limits;

use crate::error::{Failure, Result};

/// The layer that checks a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    /// GetItem, BatchGetItem, and as far as it can read them Query, PutItem, UpdateItem and
    /// DeleteItem.
    Current,
    /// Everything else. It reads numbers as Java does, and its messages name the placeholder of an
    /// invalid value.
    Older,
}

/// The deepest values that the current layer can read.
pub(crate) const CURRENT_LEVELS_MAX: usize = 62;
/// The depth up to which levels are counted.
pub(crate) const COUNTED_LEVELS_MAX: usize = CURRENT_LEVELS_MAX + 1;
const _: () = assert!(limits::TRANSACT_VALUE_DEPTH_MAX < CURRENT_LEVELS_MAX);

impl Layer {
    /// Returns the layer of a Query or a write of one item. If a member is missing or a value is
    /// nested too deeply, the older layer checks the request.
    pub(crate) fn of_request(is_complete: bool, is_too_deep: bool) -> Self {
        if is_complete && !is_too_deep { Self::Current } else { Self::Older }
    }

    /// Returns the names of the absent expressions that values of a write could belong to, if the
    /// layer's message contains them.
    pub(crate) fn absent(self, expressions: &'static str) -> Option<&'static str> {
        match self {
            Self::Current => None,
            Self::Older => Some(expressions),
        }
    }

    /// Returns the result of checking a write of one item, with the error in the layer's form.
    pub(crate) fn reported<T>(self, checked: Result<T>) -> Result<T> {
        match self {
            Self::Current => checked.map_err(Failure::enveloped),
            Self::Older => checked,
        }
    }
}
