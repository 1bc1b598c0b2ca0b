//! Item sizes and capacity units, counted from AWS's rules.

use monotable_engine::{Capacity, Consistency, ConsumedCapacity, ReturnConsumedCapacity};
use monotable_expression::{Path, SetOperand, SetValue, Step, Update};
use monotable_types::{AttributeValue as V, Item, Number};

use super::table::{Index, Table};

/// Returns the size of an item: the bytes of names and values.
pub fn size_bytes(item: &Item) -> usize {
    item.iter().map(|(name, value)| name.len() + value_bytes(value)).sum()
}

fn value_bytes(value: &V) -> usize {
    match value {
        V::S(text) => text.len(),
        V::N(number) => number_bytes(number),
        V::B(bytes) => bytes.len(),
        V::Bool(_) | V::Null => 1,
        V::M(map) => 3 + map.len() + size_bytes(map),
        V::L(list) => 3 + list.len() + list.iter().map(value_bytes).sum::<usize>(),
        V::Ss(set) => set.iter().map(String::len).sum(),
        V::Ns(set) => set.iter().map(number_bytes).sum(),
        V::Bs(set) => set.iter().map(Vec::len).sum(),
    }
}

/// Returns the size of an update expression for UpdateItem's limit, if it is given as text.
pub(super) fn statement_bytes(update: &Update) -> usize {
    let path = |path: &Path, each_step: usize| {
        let steps = path.steps.iter().map(|step| match step {
            Step::Key(name) => each_step + name.len(),
            Step::Index(index) => each_step + index.to_string().len(),
        });
        path.root.len() + steps.sum::<usize>()
    };
    let mut bytes = 3;
    for (target, value) in &update.set {
        bytes += 19 + path(target, 4);
        let mut operands = match value {
            SetValue::Operand(operand) => vec![operand],
            SetValue::Plus(left, right) | SetValue::Minus(left, right) => vec![left, right],
        };
        bytes += match value {
            SetValue::Operand(_) => 0,
            SetValue::Plus(..) => 34,
            SetValue::Minus(..) => 37,
        };
        while let Some(operand) = operands.pop() {
            bytes += match operand {
                SetOperand::Path(read) => 15 + path(read, 14),
                SetOperand::Value(value) => value_bytes(value),
                SetOperand::IfNotExists(read, default) => {
                    operands.push(default);
                    39 + 15 + path(read, 14)
                }
                SetOperand::ListAppend(first, second) => {
                    operands.extend([&**first, &**second]);
                    37
                }
            };
        }
    }
    bytes +=
        update.add.iter().map(|(t, value)| 19 + path(t, 4) + value_bytes(value)).sum::<usize>();
    bytes += update.remove.iter().map(|target| 1 + path(target, 4)).sum::<usize>();
    bytes + update.delete.iter().map(|(target, _)| 1 + path(target, 4)).sum::<usize>()
}

/// Returns one byte, one for each two digits on either side of the point, and one for a sign.
fn number_bytes(number: &Number) -> usize {
    let text = number.to_string();
    let digits = text.trim_start_matches('-');
    let (integer, fraction) = match digits.split_once('.') {
        Some(("0", fraction)) => ("", fraction.trim_start_matches('0')),
        Some(parts) => parts,
        None => (digits.trim_matches('0'), ""),
    };
    let sign = text.len() - digits.len();
    1 + integer.len().div_ceil(2) + fraction.len().div_ceil(2) + sign
}

pub(super) fn read_units(bytes: usize, consistency: Consistency) -> f64 {
    let share = if consistency == Consistency::Strong { 1.0 } else { 0.5 };
    bytes.div_ceil(4096).max(1) as f64 * share
}

/// Adds an arm, of an index or of the table.
pub(super) fn charge(total: &mut ConsumedCapacity, index: Option<&Index>, read: f64, write: f64) {
    total.read_units += read;
    total.write_units += write;
    let table = total.table.get_or_insert_default();
    let arm = match index {
        None => table,
        Some(index) if index.global => total.global_indexes.entry(index.name.clone()).or_default(),
        Some(index) => total.local_indexes.entry(index.name.clone()).or_default(),
    };
    *arm = Capacity { read_units: arm.read_units + read, write_units: arm.write_units + write };
}

/// Charges a write of one item: the larger image on the table (`factor` times in a transaction),
/// and each index entry that was added, removed, moved or changed.
pub(super) fn charge_write(
    total: &mut ConsumedCapacity,
    table: &Table,
    before: Option<&Item>,
    after: Option<&Item>,
    factor: f64,
) {
    let units = |item: &Item| size_bytes(item).div_ceil(1024).max(1) as f64;
    let larger = before.map_or(1.0, units).max(after.map_or(1.0, units));
    charge(total, None, 0.0, factor * larger);
    for index in &table.indexes {
        let entry = |item: Option<&Item>| item.and_then(|item| table.entry(index, item));
        let cost = match (entry(before), entry(after)) {
            (old, new) if old == new => continue,
            (Some(old), Some(new)) if index.names().all(|name| old[name] == new[name]) => {
                units(&old).max(units(&new))
            }
            (old, new) => old.as_ref().map_or(0.0, units) + new.as_ref().map_or(0.0, units),
        };
        charge(total, Some(index), 0.0, cost);
    }
}

/// Returns the capacity of the response.
pub(super) fn report(
    mut total: ConsumedCapacity,
    wanted: ReturnConsumedCapacity,
) -> Option<ConsumedCapacity> {
    if wanted == ReturnConsumedCapacity::Total {
        total = ConsumedCapacity {
            table: None,
            global_indexes: Default::default(),
            local_indexes: Default::default(),
            ..total
        };
    }
    (wanted != ReturnConsumedCapacity::None).then_some(total)
}
