//! Unique values that one operation of a transaction releases and another takes.
//!
//! A transaction writes no row twice, so the row of such a value is written once: by the operation
//! that takes it, if it is free or belongs to the operation that releases it.

use std::collections::{HashMap, HashSet};

use super::plan::{Hold, PlannedWrite};
use super::send::{Key, key_of};
use crate::context::Context;
use crate::error::Error;

/// An operation, and the position of a write in its plan.
type At = (usize, usize);

/// The writes of operations to one value.
#[derive(Default)]
struct Value {
    taken: Option<At>,
    kept: Option<At>,
    given_up: Option<At>,
}

/// Merges the plans so that every transferred value has one write, and returns them with the errors
/// of operations that take a value that an earlier operation takes or another one keeps.
pub(super) fn join(
    context: &Context,
    mut plans: Vec<Vec<PlannedWrite>>,
) -> (Vec<Vec<PlannedWrite>>, Vec<(usize, Error)>) {
    let (handed_over, not_free) = compare(context, &plans);
    if handed_over.is_empty() && not_free.is_empty() {
        return (plans, Vec::new());
    }
    for (taken, given_up) in &handed_over {
        let free = plans[given_up.0][given_up.1].write.condition.take();
        let write = &mut plans[taken.0][taken.1].write;
        write.condition = write.condition.take().zip(free).map(|(own, free)| own.or(free));
    }
    let dropped: HashSet<At> = handed_over.into_iter().map(|(_, given_up)| given_up).collect();
    let mut errors = Vec::new();
    let mut joined = Vec::with_capacity(plans.len());
    for (operation, plan) in plans.into_iter().enumerate() {
        let mut writes = Vec::with_capacity(plan.len());
        for (position, planned) in plan.into_iter().enumerate() {
            let at = (operation, position);
            if not_free.contains(&at) {
                errors.push((operation, (planned.failure)(None)));
            } else if !dropped.contains(&at) {
                writes.push(planned);
            }
        }
        joined.push(writes);
    }
    // One error per operation is enough: that of its first value.
    errors.dedup_by_key(|(operation, _)| *operation);
    (joined, errors)
}

/// Returns the values that one operation takes and another releases, and the writes that take what
/// an earlier operation takes or another one keeps.
fn compare(context: &Context, plans: &[Vec<PlannedWrite>]) -> (Vec<(At, At)>, HashSet<At>) {
    let mut values: HashMap<Key<'_>, Value> = HashMap::new();
    let mut not_free = HashSet::new();
    for (operation, plan) in plans.iter().enumerate() {
        for (position, planned) in plan.iter().enumerate() {
            let Some(hold) = planned.hold else { continue };
            let at = (operation, position);
            let value = values.entry(key_of(context, &planned.write)).or_default();
            match hold {
                Hold::Taken if value.taken.is_some_and(|first| first.0 != operation) => {
                    not_free.insert(at);
                }
                Hold::Taken => value.taken = value.taken.or(Some(at)),
                Hold::Kept => value.kept = value.kept.or(Some(at)),
                Hold::GivenUp => value.given_up = value.given_up.or(Some(at)),
            }
        }
    }
    let kept = values.values().filter_map(|value| value.taken.zip(value.kept));
    let kept = kept.filter(|(taken, kept)| taken.0 != kept.0);
    not_free.extend(kept.map(|(taken, _)| taken));
    let handed_over = values
        .into_values()
        .filter_map(|value| value.taken.zip(value.given_up))
        .filter(|(taken, given_up)| taken.0 != given_up.0)
        .collect();
    (handed_over, not_free)
}
