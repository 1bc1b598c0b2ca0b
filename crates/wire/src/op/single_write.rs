//! What PutItem, UpdateItem and DeleteItem share: values that are nested so deeply that the older
//! layer checks the request, and reports them after all other errors, as in a transaction.

use monotable_engine::TransactWrite;

use crate::condition::WriteCondition;
use crate::error::{Failure, Result};
use crate::value::{Attributes, NESTED_TOO_DEEP};

/// Removes values that are nested too deeply from an item or key and its condition, and returns the
/// error to report last.
pub(super) fn take_too_deep(
    attributes: Option<&mut Attributes>,
    condition: &mut WriteCondition,
) -> Option<Failure> {
    let in_condition = condition.take_too_deep();
    match attributes.and_then(Attributes::take_too_deep) {
        Some(_) => Some(Failure::validation(NESTED_TOO_DEEP)),
        None => in_condition,
    }
}

/// Returns the write, or the error that is reported after all others.
pub(super) fn reported_last<W>(too_deep: Option<Failure>, write: W) -> Result<W>
where
    TransactWrite: From<W>,
{
    match too_deep {
        None => Ok(write),
        Some(failure) => {
            TransactWrite::from(write).check_action()?;
            Err(failure)
        }
    }
}
