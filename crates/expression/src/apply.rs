//! Applies an update to an item.
//!
//! There are two phases: first every new value is computed from the original item, and every path
//! is checked; then everything is written, which cannot fail. So operands never see the effects of
//! other actions of the same update, and an item is either updated completely or not at all.

use std::borrow::Cow;
use std::cmp::Ordering;

use monotable_types::{AttributeValue, Item, Number, limits};

use crate::path::descend;
use crate::{Path, SetOperand, SetValue, Step, Update, UpdateError};

/// The change of the value at a path.
#[derive(Debug)]
enum Change {
    Put(AttributeValue),
    Remove,
    Keep,
}

/// One action of an update, of any section.
enum Action<'u> {
    Set(&'u SetValue),
    Remove,
    Add(&'u AttributeValue),
    Delete(&'u AttributeValue),
}

impl Update {
    /// Applies the update to `item`. When it cannot be applied, `item` is as before.
    ///
    /// - Every operand reads the item as it was before the update.
    /// - `SET` of a list element beyond the end appends it.
    /// - `REMOVE` of several list elements counts them as they were numbered before.
    /// - `ADD` to a missing attribute starts from 0 or from the empty set.
    /// - `DELETE` of the last element of a set removes the attribute.
    pub fn apply(&self, item: &mut Item) -> Result<(), UpdateError> {
        let mut actions = self.actions();
        let (Some(first), rest) = (actions.next(), actions) else {
            return Ok(());
        };
        let change = first.1.change(first.0, item)?;
        let mut rest = rest.peekable();
        if rest.peek().is_none() {
            // A single action needs no plan. This path serves counters, and it allocates nothing.
            write(item, first.0, change);
            return Ok(());
        }
        let mut plan = vec![(first.0, change)];
        for (path, action) in rest {
            plan.push((path, action.change(path, item)?));
        }
        plan.sort_by(write_order);
        for (path, change) in plan {
            write(item, path, change);
        }
        Ok(())
    }

    fn actions(&self) -> impl Iterator<Item = (&Path, Action<'_>)> {
        let set = self.set.iter().map(|(path, value)| (path, Action::Set(value)));
        let remove = self.remove.iter().map(|path| (path, Action::Remove));
        let add = self.add.iter().map(|(path, value)| (path, Action::Add(value)));
        let delete = self.delete.iter().map(|(path, value)| (path, Action::Delete(value)));
        set.chain(remove).chain(add).chain(delete)
    }
}

impl Action<'_> {
    fn change(&self, path: &Path, item: &Item) -> Result<Change, UpdateError> {
        let change = match self {
            Self::Set(value) => Change::Put(set_value(value, item)?),
            Self::Remove => Change::Remove,
            Self::Add(value) => Change::Put(add(path.find(item), value)?),
            Self::Delete(value) => match path.find(item) {
                None => Change::Keep,
                Some(existing) => delete(existing, value)?.map_or(Change::Remove, Change::Put),
            },
        };
        check_target(path, item)?;
        if let Change::Put(value) = &change {
            check_depth(path, value)?;
        }
        Ok(change)
    }
}

fn set_value(value: &SetValue, item: &Item) -> Result<AttributeValue, UpdateError> {
    let sum = match value {
        SetValue::Operand(value) => return Ok(operand(value, item)?.into_owned()),
        SetValue::Plus(left, right) => {
            let (left, right) = (number(left, item)?, number(right, item)?);
            left.checked_add(right)?
        }
        SetValue::Minus(left, right) => {
            let (left, right) = (number(left, item)?, number(right, item)?);
            left.checked_sub(right)?
        }
    };
    Ok(AttributeValue::N(sum))
}

fn operand<'a>(
    value: &'a SetOperand,
    item: &'a Item,
) -> Result<Cow<'a, AttributeValue>, UpdateError> {
    match value {
        SetOperand::Value(value) => Ok(Cow::Borrowed(value)),
        SetOperand::Path(path) => match path.find(item) {
            Some(value) => Ok(Cow::Borrowed(value)),
            None => Err(UpdateError::AttributeMissing),
        },
        SetOperand::IfNotExists(path, default) => match path.find(item) {
            Some(value) => Ok(Cow::Borrowed(value)),
            None => operand(default, item),
        },
        SetOperand::ListAppend(first, second) => {
            let (first, second) = (operand(first, item)?, operand(second, item)?);
            match (first.into_owned(), second.as_ref()) {
                (AttributeValue::L(mut elements), AttributeValue::L(more)) => {
                    elements.extend_from_slice(more);
                    Ok(Cow::Owned(AttributeValue::L(elements)))
                }
                _ => Err(UpdateError::OperandType),
            }
        }
    }
}

fn number(value: &SetOperand, item: &Item) -> Result<Number, UpdateError> {
    operand(value, item)?.as_n().copied().ok_or(UpdateError::OperandType)
}

fn add(
    existing: Option<&AttributeValue>,
    value: &AttributeValue,
) -> Result<AttributeValue, UpdateError> {
    use AttributeValue::{Bs, N, Ns, Ss};
    match (existing, value) {
        (None, N(_) | Ss(_) | Ns(_) | Bs(_)) => Ok(value.clone()),
        (Some(N(existing)), N(value)) => Ok(N(existing.checked_add(*value)?)),
        (Some(Ss(existing)), Ss(value)) => Ok(Ss(existing.union(value))),
        (Some(Ns(existing)), Ns(value)) => Ok(Ns(existing.union(value))),
        (Some(Bs(existing)), Bs(value)) => Ok(Bs(existing.union(value))),
        _ => Err(UpdateError::OperandType),
    }
}

fn delete(
    existing: &AttributeValue,
    value: &AttributeValue,
) -> Result<Option<AttributeValue>, UpdateError> {
    use AttributeValue::{Bs, Ns, Ss};
    match (existing, value) {
        (Ss(existing), Ss(value)) => Ok(existing.difference(value).map(Ss)),
        (Ns(existing), Ns(value)) => Ok(existing.difference(value).map(Ns)),
        (Bs(existing), Bs(value)) => Ok(existing.difference(value).map(Bs)),
        _ => Err(UpdateError::OperandType),
    }
}

/// Checks that the map or list that the last step of a path leads into exists.
fn check_target(path: &Path, item: &Item) -> Result<(), UpdateError> {
    let Some((last, outer)) = path.steps.split_last() else {
        return Ok(());
    };
    let container = item.get(&path.root).and_then(|root| descend(root, outer));
    match (container, last) {
        (Some(AttributeValue::M(_)), Step::Key(_)) => Ok(()),
        (Some(AttributeValue::L(_)), Step::Index(_)) => Ok(()),
        _ => Err(UpdateError::InvalidPath),
    }
}

/// Checks the depth of a value at a path. AWS counts the attribute itself as the first of the 32
/// levels, as `depth` does.
fn check_depth(path: &Path, value: &AttributeValue) -> Result<(), UpdateError> {
    let depth = match value {
        AttributeValue::M(_) | AttributeValue::L(_) => value.depth(),
        // Counters need no check.
        _ => 1,
    };
    if path.steps.len() + depth <= limits::NESTING_DEPTH_MAX {
        Ok(())
    } else {
        Err(UpdateError::TooDeep)
    }
}

/// Orders the writes: changes come first in ascending order, so that list elements beyond the end are
/// appended in the order of their indexes. Removals follow in descending order, so that none moves an
/// element that a later one names.
fn write_order(one: &(&Path, Change), two: &(&Path, Change)) -> Ordering {
    let removes = |change: &Change| matches!(change, Change::Remove);
    match (removes(&one.1), removes(&two.1)) {
        (false, false) => one.0.cmp(two.0),
        (true, true) => two.0.cmp(one.0),
        (first, second) => first.cmp(&second),
    }
}

fn write(item: &mut Item, path: &Path, change: Change) {
    let Some((last, outer)) = path.steps.split_last() else {
        match change {
            Change::Put(value) => put(item, &path.root, value),
            Change::Remove => drop(item.remove(&path.root)),
            Change::Keep => {}
        }
        return;
    };
    let container = item.get_mut(&path.root).and_then(|root| {
        outer.iter().try_fold(root, |value, step| match (value, step) {
            (AttributeValue::M(entries), Step::Key(name)) => entries.get_mut(name),
            (AttributeValue::L(elements), Step::Index(index)) => elements.get_mut(*index),
            _ => None,
        })
    });
    match (container, last, change) {
        (Some(AttributeValue::M(entries)), Step::Key(name), Change::Put(value)) => {
            put(entries, name, value);
        }
        (Some(AttributeValue::M(entries)), Step::Key(name), Change::Remove) => {
            entries.remove(name);
        }
        (Some(AttributeValue::L(elements)), Step::Index(index), Change::Put(value)) => {
            match elements.get_mut(*index) {
                Some(element) => *element = value,
                None => elements.push(value),
            }
        }
        (Some(AttributeValue::L(elements)), Step::Index(index), Change::Remove)
            if *index < elements.len() =>
        {
            elements.remove(*index);
        }
        // `check_target` has found the container, `Keep` writes nothing, and an element beyond the
        // end of its list does not exist.
        _ => {}
    }
}

/// Inserts without copying the name of an existing entry.
fn put(entries: &mut Item, name: &str, value: AttributeValue) {
    match entries.get_mut(name) {
        Some(entry) => *entry = value,
        None => drop(entries.insert(name.to_owned(), value)),
    }
}

#[cfg(test)]
mod tests;
