//! Reads in one line, for tests that compare stored rows.

use monotable::dynamodb::{GetItem, PutItem, Query, QueryOutput};
use monotable::{Database, Item, item};

/// Puts items without a condition.
pub(crate) fn put_all(db: &Database, table: &str, items: impl IntoIterator<Item = Item>) {
    for item in items {
        db.put_item(PutItem::new(table, item)).unwrap();
    }
}

/// Returns the item with this key, if there is one.
pub(crate) fn get(db: &Database, table: &str, key: Item) -> Option<Item> {
    db.get_item(GetItem::new(table, key)).unwrap().item.map(Item::from)
}

/// Returns the items of one page.
pub(crate) fn items(page: QueryOutput) -> Vec<Item> {
    page.items.into_iter().map(Item::from).collect()
}

/// Returns the items of all pages.
pub(crate) fn query_all(db: &Database, query: Query) -> Vec<Item> {
    let mut found = Vec::new();
    let mut next = query.clone();
    loop {
        let mut page = db.query(next).unwrap();
        let last_key = page.last_evaluated_key.take();
        found.extend(items(page));
        match last_key {
            Some(key) => next = query.clone().exclusive_start_key(key),
            None => return found,
        }
    }
}

/// Returns a query of a partition by a prefix of the sort key, on a table with these two key attributes.
pub(crate) fn prefix_query(table: &str, keys: [&str; 2], partition: &str, prefix: &str) -> Query {
    let [partition_key, sort_key] = keys;
    Query::new(table)
        .key_condition(format!("{partition_key} = :pk AND begins_with({sort_key}, :sk_prefix)"))
        .value(":pk", partition)
        .value(":sk_prefix", prefix)
}

/// Returns one string attribute of every item, in order.
pub(crate) fn strings(items: &[Item], attribute: &str) -> Vec<String> {
    let text = |item: &Item| item[attribute].as_s().unwrap().to_owned();
    items.iter().map(text).collect()
}

/// Returns a key in upper case, as three of the seeds spell it.
pub(crate) fn upper_key(partition: impl Into<String>, sort: impl Into<String>) -> Item {
    item! { "PK" => partition.into(), "SK" => sort.into() }
}

/// Returns a key in lower case, as two of the seeds spell it.
pub(crate) fn lower_key(partition: impl Into<String>, sort: impl Into<String>) -> Item {
    item! { "pk" => partition.into(), "sk" => sort.into() }
}
