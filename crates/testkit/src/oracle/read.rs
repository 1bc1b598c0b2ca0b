//! Reads: GetItem, Query, Scan, batches and transactions. A read through an index is a filtered and
//! sorted pass over the whole table.

use std::collections::BTreeMap;

use monotable_engine::{
    BatchGetItem, Consistency, ConsumedCapacity, Direction, GetItem, Query, ReturnConsumedCapacity,
    Scan, Select, TransactGetItems,
};
use monotable_types::{Item, Projection};

use super::Oracle;
use super::capacity::{charge, read_units, report, size_bytes};
use super::expression::{holds, passes, project};
use super::table::{Index, Table};
use crate::operation::{Answer, Failure, Outcome, tree};

impl Oracle {
    /// Returns a page of a query. A partition of a table without a sort key has one item, so that
    /// its first page is its last.
    pub fn query(&self, query: &Query) -> Outcome {
        let mut answer = self.pages(query, 1024 * 1024)?;
        if query.index_name.is_none() && self.table(&query.table_name)?.key.sort.is_empty() {
            if query.exclusive_start_key.is_some() {
                let message = "The query can return at most one row and cannot be restarted";
                return Err(Failure::validation(message));
            }
            answer.last_evaluated_key = None;
        }
        Ok(answer)
    }

    /// Returns all pages of a scan as one: where they end depends on the order of hashes, which is
    /// not part of the contract, so callers read all pages and add them up.
    pub(super) fn scan(&self, scan: &Scan) -> Outcome {
        let query = Query {
            table_name: scan.table_name.clone(),
            index_name: scan.index_name.clone(),
            filter: scan.filter.clone(),
            projection: scan.projection.clone(),
            select: scan.select,
            consistency: scan.consistency,
            return_consumed_capacity: scan.return_consumed_capacity,
            ..Query::default()
        };
        self.pages(&query, usize::MAX)
    }

    fn pages(&self, query: &Query, page_bytes_max: usize) -> Outcome {
        let table = self.table(&query.table_name)?;
        let index = match &query.index_name {
            None => None,
            Some(name) => match table.indexes.iter().find(|index| index.name == *name) {
                None => {
                    let message = format!("The table does not have the specified index: {name}");
                    return Err(Failure::validation(message));
                }
                index => index,
            },
        };
        let schema = index.unwrap_or(&table.key);
        let terms = tree(&query.key_condition).map_or(&[][..], |condition| &condition.terms);
        let place = |item: &Item| table.place(schema.sort.iter().chain(table.key.names()), item);
        let held = |item: &&Item| table.place(schema.names(), item).is_some();
        let mut items: Vec<&Item> = table.items.values().filter(held).collect();
        items.retain(|item| terms.iter().all(|term| passes(item, term)));
        items.sort_by_key(|item| place(item));
        if query.direction == Direction::Backward {
            items.reverse();
        }
        if let Some(start) = query.exclusive_start_key.as_ref().map(place) {
            items.retain(|item| match query.direction {
                Direction::Forward => place(item) > start,
                Direction::Backward => place(item) < start,
            });
        }
        Ok(self.page(query, table, index, items, page_bytes_max))
    }

    /// Reads items in this order until a limit or the end.
    fn page(
        &self,
        query: &Query,
        table: &Table,
        index: Option<&Index>,
        items: Vec<&Item>,
        page_bytes_max: usize,
    ) -> Answer {
        let fetches = index.is_some_and(|index| fetches(query, table, index));
        let name = &query.table_name;
        let mut total = ConsumedCapacity { table_name: name.clone(), ..Default::default() };
        let (mut answer, mut bytes, mut fetched_bytes, mut scanned) = (Answer::default(), 0, 0, 0);
        for item in items {
            let entry = index.map_or(Some(item.clone()), |index| table.entry(index, item));
            let entry = entry.expect("only items of the index are read");
            bytes += size_bytes(&entry);
            scanned += 1;
            if fetches {
                fetched_bytes += size_bytes(item);
                charge(&mut total, None, read_units(size_bytes(item), query.consistency), 0.0);
            }
            let seen = if fetches { item } else { &entry };
            if tree(&query.filter).is_none_or(|filter| holds(seen, filter)) {
                let shown = match tree(&query.projection) {
                    None => seen.clone(),
                    Some(projection) => project(seen, projection.paths.iter()),
                };
                answer.items.push((name.clone(), Some(shown)));
            }
            if Some(scanned) == query.limit || bytes + fetched_bytes >= page_bytes_max {
                let keys = index.unwrap_or(&table.key).names().chain(table.key.names());
                answer.last_evaluated_key = Some(Table::only(keys, item));
                break;
            }
        }
        charge(&mut total, index, read_units(bytes, query.consistency), 0.0);
        answer.counts = Some((answer.items.len() as u32, scanned));
        answer.consumed_capacity.extend(report(total, query.return_consumed_capacity));
        if query.select == Some(Select::Count) {
            answer.items.clear();
        }
        answer
    }

    /// Returns one item, and what reading it consistently costs.
    fn get(&self, get: &GetItem) -> Result<(Option<Item>, f64), Failure> {
        let table = self.table(&get.table_name)?;
        let item = table.items.get(&table.primary_key(&get.key));
        let units = read_units(item.map_or(0, size_bytes), get.consistency);
        let shown = item.map(|item| match tree(&get.projection) {
            None => item.clone(),
            Some(projection) => project(item, projection.paths.iter()),
        });
        Ok((shown, units))
    }

    /// Returns several reads, each rounded separately; `factor` is the price of a unit.
    fn get_all(
        &self,
        gets: impl Iterator<Item = GetItem>,
        factor: f64,
        wanted: ReturnConsumedCapacity,
    ) -> Outcome {
        let mut answer = Answer::default();
        let mut totals: BTreeMap<String, ConsumedCapacity> = BTreeMap::new();
        for get in gets {
            let (item, units) = self.get(&get)?;
            let total = totals.entry(get.table_name.clone()).or_default();
            total.table_name = get.table_name.clone();
            charge(total, None, factor * units, 0.0);
            answer.items.push((get.table_name, item));
        }
        let reported = totals.into_values().filter_map(|total| report(total, wanted));
        answer.consumed_capacity = reported.collect();
        Ok(answer)
    }

    pub(super) fn get_item(&self, get: &GetItem) -> Outcome {
        self.get_all([get.clone()].into_iter(), 1.0, get.return_consumed_capacity)
    }

    pub(super) fn batch_get_item(&self, batch: &BatchGetItem) -> Outcome {
        let gets = batch.request_items.iter().flat_map(|(table_name, request)| {
            request.keys.iter().map(move |key| GetItem {
                projection: request.projection.clone(),
                consistency: request.consistency,
                ..GetItem::new(table_name, key.clone())
            })
        });
        let mut answer = self.get_all(gets, 1.0, batch.return_consumed_capacity)?;
        answer.items.retain(|(_, item)| item.is_some());
        Ok(answer)
    }

    pub(super) fn transact_get_items(&self, request: &TransactGetItems) -> Outcome {
        let gets = request.transact_items.iter().map(|get| GetItem {
            projection: get.projection.clone(),
            consistency: Consistency::Strong,
            ..GetItem::new(&get.table_name, get.key.clone())
        });
        let mut answer = self.get_all(gets, 2.0, request.return_consumed_capacity)?;
        for (_, item) in &mut answer.items {
            item.take_if(|item| item.is_empty());
        }
        Ok(answer)
    }
}

/// Returns whether a local index lacks requested attributes, so that the table is read as well.
fn fetches(query: &Query, table: &Table, index: &Index) -> bool {
    let included = match &index.projection {
        Projection::All => return false,
        Projection::KeysOnly => &[][..],
        Projection::Include(names) => names,
    };
    let lacks = |root: &String| {
        !index.names().chain(table.key.names()).chain(included).any(|name| name == root)
    };
    query.select == Some(Select::AllAttributes)
        || tree(&query.projection)
            .is_some_and(|these| these.paths.iter().any(|path| lacks(&path.root)))
}
