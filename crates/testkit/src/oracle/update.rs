//! Update expressions, applied the naive way: every value is computed from the old item, then all
//! paths are written, removals last and from the end of each list.

use monotable_expression::{Path, SetOperand, SetValue, Step, Update};
use monotable_types::{AttributeValue as V, Item, NumberError, Set};

use super::expression::at;

const MISSING: &str =
    "The provided expression refers to an attribute that does not exist in the item";
const WRONG_TYPE: &str = "An operand in the update expression has an incorrect data type";
const WRONG_PATH: &str =
    "The document path provided in the update expression is invalid for update";

/// Returns the item after the update, or DynamoDB's message.
pub(super) fn apply(update: &Update, before: &Item) -> Result<Item, String> {
    let mut after = before.clone();
    let mut written = Vec::new();
    let mut removed: Vec<&Path> = update.remove.iter().collect();
    for (path, value) in &update.set {
        written.push((path, set_value(value, before)?));
    }
    for (path, value) in &update.add {
        written.push((path, added(at(before, path), value)?));
    }
    for (path, value) in &update.delete {
        match at(before, path).map_or(Ok(None), |old| deleted(old, value))? {
            Some(rest) => written.push((path, rest)),
            None => removed.push(path),
        }
    }
    for (path, value) in written {
        place(&mut after, path, Some(value))?;
    }
    removed.sort_by_key(|path| std::cmp::Reverse(path.steps.clone()));
    for path in removed {
        place(&mut after, path, None)?;
    }
    Ok(after)
}

fn set_value(value: &SetValue, before: &Item) -> Result<V, String> {
    let number = |operand: &SetOperand| match set_operand(operand, before)? {
        V::N(number) => Ok(number),
        _ => Err(WRONG_TYPE.to_owned()),
    };
    match value {
        SetValue::Operand(operand) => set_operand(operand, before),
        SetValue::Plus(left, right) => in_range(number(left)?.checked_add(number(right)?)),
        SetValue::Minus(left, right) => in_range(number(left)?.checked_sub(number(right)?)),
    }
}

fn in_range(result: Result<monotable_types::Number, NumberError>) -> Result<V, String> {
    result.map(V::N).map_err(|error| error.to_string())
}

fn set_operand(operand: &SetOperand, before: &Item) -> Result<V, String> {
    match operand {
        SetOperand::Path(path) => at(before, path).cloned().ok_or_else(|| MISSING.to_owned()),
        SetOperand::Value(value) => Ok(value.clone()),
        SetOperand::IfNotExists(path, otherwise) => {
            at(before, path).map_or_else(|| set_operand(otherwise, before), |old| Ok(old.clone()))
        }
        SetOperand::ListAppend(front, back) => {
            match (set_operand(front, before)?, set_operand(back, before)?) {
                (V::L(front), V::L(back)) => Ok(V::L([front, back].concat())),
                _ => Err(WRONG_TYPE.to_owned()),
            }
        }
    }
}

fn added(old: Option<&V>, value: &V) -> Result<V, String> {
    match (old, value) {
        (None, value) => Ok(value.clone()),
        (Some(V::N(old)), V::N(more)) => in_range(old.checked_add(*more)),
        (Some(V::Ss(old)), V::Ss(more)) => Ok(V::Ss(union(old, more))),
        (Some(V::Ns(old)), V::Ns(more)) => Ok(V::Ns(union(old, more))),
        (Some(V::Bs(old)), V::Bs(more)) => Ok(V::Bs(union(old, more))),
        _ => Err(WRONG_TYPE.to_owned()),
    }
}

/// Returns the rest of a set after DELETE; `None` if the attribute is removed.
fn deleted(old: &V, value: &V) -> Result<Option<V>, String> {
    match (old, value) {
        (V::Ss(old), V::Ss(less)) => Ok(without(old, less).map(V::Ss)),
        (V::Ns(old), V::Ns(less)) => Ok(without(old, less).map(V::Ns)),
        (V::Bs(old), V::Bs(less)) => Ok(without(old, less).map(V::Bs)),
        _ => Err(WRONG_TYPE.to_owned()),
    }
}

fn union<T: Ord + Clone>(left: &Set<T>, right: &Set<T>) -> Set<T> {
    let new = right.iter().filter(|element| left.iter().all(|other| other != *element));
    Set::new(left.iter().chain(new).cloned().collect()).unwrap_or_else(|_| left.clone())
}

fn without<T: Ord + Clone>(left: &Set<T>, right: &Set<T>) -> Option<Set<T>> {
    let rest = left.iter().filter(|element| right.iter().all(|other| other != *element));
    Set::new(rest.cloned().collect()).ok()
}

/// Writes the value at the path, or removes what is there.
fn place(item: &mut Item, path: &Path, value: Option<V>) -> Result<(), String> {
    let Some((last, above)) = path.steps.split_last() else {
        match value {
            Some(value) => item.insert(path.root.clone(), value),
            None => item.remove(&path.root),
        };
        return Ok(());
    };
    let root = item.get_mut(&path.root).ok_or(WRONG_PATH)?;
    let parent = above.iter().try_fold(root, |value, step| match (value, step) {
        (V::M(map), Step::Key(key)) => map.get_mut(key),
        (V::L(list), Step::Index(index)) => list.get_mut(*index),
        _ => None,
    });
    match (parent.ok_or(WRONG_PATH)?, last, value) {
        (V::M(map), Step::Key(key), Some(value)) => drop(map.insert(key.clone(), value)),
        (V::M(map), Step::Key(key), None) => drop(map.remove(key)),
        (V::L(list), Step::Index(index), Some(value)) if *index < list.len() => {
            list[*index] = value;
        }
        (V::L(list), Step::Index(_), Some(value)) => list.push(value),
        (V::L(list), Step::Index(index), None) if *index < list.len() => {
            list.remove(*index);
        }
        (V::L(_), Step::Index(_), None) => {}
        _ => return Err(WRONG_PATH.to_owned()),
    }
    Ok(())
}
