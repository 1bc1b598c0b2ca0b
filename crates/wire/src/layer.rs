//! AWS checks a request in one of two layers, which word the same problem differently. Which one it
//! is depends on the operation, and on whether the newer one can read the request at all.

use monotable_types::limits;

use crate::error::{Failure, Result};

/// The layer that checks a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    /// GetItem, BatchGetItem, and as far as it can read them Query, PutItem, UpdateItem and
    /// DeleteItem.
    Current,
    /// Everything else. It reads numbers as Java does, and says which placeholder stands for a value
    /// that is none.
    Older,
}

/// Values nested deeper than this are more than the current layer can read.
pub(crate) const CURRENT_LEVELS_MAX: usize = 62;
/// Deeper values than this are not counted any further.
pub(crate) const COUNTED_LEVELS_MAX: usize = CURRENT_LEVELS_MAX + 1;
const _: () = assert!(limits::TRANSACT_VALUE_DEPTH_MAX < CURRENT_LEVELS_MAX);

impl Layer {
    /// The layer of a Query or a write of one item: a member that is missing, and values that are
    /// nested too deeply, leave it to the older one.
    pub(crate) fn of_request(is_complete: bool, is_too_deep: bool) -> Self {
        match is_complete && !is_too_deep {
            true => Self::Current,
            false => Self::Older,
        }
    }

    /// The expressions that values of a write could have been for, if the layer names them.
    pub(crate) fn absent(self, expressions: &'static str) -> Option<&'static str> {
        match self {
            Self::Current => None,
            Self::Older => Some(expressions),
        }
    }

    /// What is wrong with a write of one item, as the layer reports it.
    pub(crate) fn reported<T>(self, checked: Result<T>) -> Result<T> {
        match self {
            Self::Current => checked.map_err(Failure::enveloped),
            Self::Older => checked,
        }
    }
}
