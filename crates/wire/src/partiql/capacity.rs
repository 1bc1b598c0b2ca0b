//! The sum of the capacity of several requests to the same table.

use std::collections::BTreeMap;

use monotable_engine::{Capacity, ConsumedCapacity};

/// Adds the capacity of one more request.
pub(crate) fn add_capacity(total: &mut Option<ConsumedCapacity>, more: Option<ConsumedCapacity>) {
    match (total.as_mut(), more) {
        (_, None) => {}
        (None, more) => *total = more,
        (Some(total), Some(more)) => {
            total.read_units += more.read_units;
            total.write_units += more.write_units;
            total.table = match (total.table, more.table) {
                (Some(one), Some(two)) => Some(sum(one, two)),
                (one, two) => one.or(two),
            };
            add_shares(&mut total.global_indexes, more.global_indexes);
            add_shares(&mut total.local_indexes, more.local_indexes);
        }
    }
}

/// Adds the capacity of one more request to the total of its table.
pub(crate) fn add_by_table(totals: &mut Vec<ConsumedCapacity>, more: Option<ConsumedCapacity>) {
    let Some(more) = more else {
        return;
    };
    match totals.iter().position(|total| total.table_name == more.table_name) {
        None => totals.push(more),
        Some(at) => {
            let mut total = Some(totals[at].clone());
            add_capacity(&mut total, Some(more));
            totals.splice(at..=at, total);
        }
    }
}

fn sum(one: Capacity, two: Capacity) -> Capacity {
    Capacity {
        read_units: one.read_units + two.read_units,
        write_units: one.write_units + two.write_units,
    }
}

fn add_shares(total: &mut BTreeMap<String, Capacity>, more: BTreeMap<String, Capacity>) {
    for (name, units) in more {
        total.entry(name).and_modify(|share| *share = sum(*share, units)).or_insert(units);
    }
}
