//! Rows that an operation would give up although they are another's.
//!
//! Other programs write rows with unique values that another row holds already. Such a row has nothing to
//! give up, and must be free to change and go all the same.

use monotable_types::Item;

use super::look;
use super::plan::{Hold, PlannedWrite};
use crate::backend::request::Action;
use crate::context::Context;
use crate::error::Result;

/// Leaves rows that are another's to that one, and tells whether there are any.
pub(super) async fn leave(context: &Context, plans: &mut [Vec<PlannedWrite>]) -> Result<bool> {
    let keys: Vec<Option<Item>> = plans.iter().flatten().filter_map(given_up).map(Some).collect();
    if keys.is_empty() {
        return Ok(false);
    }
    let mut rows = look::read_all(context, keys).await?.into_iter();
    let mut is_any = false;
    for plan in plans {
        plan.retain(|planned| {
            let row = given_up(planned).and_then(|_| rows.next().flatten());
            let is_own = planned.own.as_ref().or(planned.write.condition.as_ref());
            let is_others = row.zip(is_own).is_some_and(|(row, is_own)| !is_own.evaluate(&row));
            is_any |= is_others;
            !is_others
        });
    }
    Ok(is_any)
}

/// The key of a row that is given up.
fn given_up(planned: &PlannedWrite) -> Option<Item> {
    match (&planned.write.action, planned.hold) {
        (Action::Delete(key), Some(Hold::GivenUp)) => Some(key.clone()),
        _ => None,
    }
}
