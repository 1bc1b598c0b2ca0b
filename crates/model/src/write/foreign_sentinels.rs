//! Releases of sentinels and mirrors that belong to other entities.
//!
//! Other programs write rows with unique values that another row already has. Such a row has
//! nothing to release, and it must still be possible to change and delete it.

use monotable_types::Item;

use super::plan::{Hold, PlannedWrite};
use super::read_rows;
use crate::backend::request::Action;
use crate::context::Context;
use crate::error::Result;

/// Drops the writes that would release rows of other entities, and returns whether there are any.
pub(super) async fn keep(context: &Context, plans: &mut [Vec<PlannedWrite>]) -> Result<bool> {
    let keys: Vec<Option<Item>> = plans.iter().flatten().filter_map(given_up).map(Some).collect();
    if keys.is_empty() {
        return Ok(false);
    }
    let mut rows = read_rows::read_all(context, keys).await?.into_iter();
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

/// Returns the key of a row that is released.
fn given_up(planned: &PlannedWrite) -> Option<Item> {
    match (&planned.write.action, planned.hold) {
        (Action::Delete(key), Some(Hold::GivenUp)) => Some(key.clone()),
        _ => None,
    }
}
