//! The requests of the tests to the engine: operations as writes, and complete results as reads.

use monotable_engine::{
    BatchWriteItem, Database, DeleteItem, Error, GetItem, PutItem, Query, Scan, TransactWriteItems,
    UpdateItem,
};
use monotable_types::Item;

use super::workload::{Key, Operation, Placing, TABLE, counter_key, key_item};

/// Runs an operation and waits for its result.
pub(crate) fn send(database: &Database, operation: &Operation) -> Result<(), Error> {
    match operation {
        Operation::Put(item) => drop(database.put_item(PutItem::new(TABLE, item.clone()))?),
        Operation::Update { key, writer, body, placing } => {
            drop(database.update_item(update(key, writer, body, placing))?);
        }
        Operation::Delete(key) => {
            drop(database.delete_item(DeleteItem::new(TABLE, key_item(key)))?);
        }
        Operation::Count(counter) => drop(database.update_item(count(*counter))?),
        Operation::Transact { puts, counter } => {
            let transaction = TransactWriteItems::new().action(count(*counter));
            let transaction = puts.iter().fold(transaction, |transaction, item| {
                transaction.action(PutItem::new(TABLE, item.clone()))
            });
            drop(database.transact_write_items(transaction)?);
        }
        Operation::Batch { puts, deletes } => {
            let batch = puts
                .iter()
                .fold(BatchWriteItem::new(), |batch, item| batch.put(TABLE, item.clone()));
            let batch = deletes.iter().fold(batch, |batch, key| batch.delete(TABLE, key_item(key)));
            drop(database.batch_write_item(batch)?);
        }
    }
    Ok(())
}

fn count(counter: u64) -> UpdateItem {
    UpdateItem::new(TABLE, key_item(&counter_key(counter))).update("ADD n :one").value(":one", 1)
}

fn update(key: &Key, writer: &str, body: &str, placing: &Placing) -> UpdateItem {
    let request = UpdateItem::new(TABLE, key_item(key))
        .name("#body", "body")
        .name("#writer", "writer")
        .value(":writer", writer)
        .value(":body", body)
        .value(":one", 1);
    match placing {
        Placing::Keep => request.update("SET #writer = :writer, #body = :body ADD changes :one"),
        Placing::Move { group, place } => request
            .update(
                "SET #writer = :writer, #body = :body, #group = :group, #place = :place \
                 ADD changes :one",
            )
            .name("#group", "group")
            .name("#place", "place")
            .value(":group", group.as_str())
            .value(":place", place.as_str()),
        Placing::Leave => request
            .update("SET #writer = :writer, #body = :body REMOVE #group, #place ADD changes :one")
            .name("#group", "group")
            .name("#place", "place"),
    }
}

/// Returns one item.
pub(crate) fn get(database: &Database, key: &Key) -> Result<Option<Item>, Error> {
    let output = database.get_item(GetItem::new(TABLE, key_item(key)))?;
    Ok(output.item.map(Item::from))
}

/// Returns all items of the table, in any order.
pub(crate) fn scan(database: &Database) -> Result<Vec<Item>, Error> {
    let mut request = Scan::new(TABLE);
    let mut items = Vec::new();
    loop {
        let page = database.scan(request.clone())?;
        items.extend(page.items.into_iter().map(Item::from));
        request.exclusive_start_key = page.last_evaluated_key;
        if request.exclusive_start_key.is_none() {
            return Ok(items);
        }
    }
}

/// Returns all items of a partition of the table or of an index, in order.
pub(crate) fn query(
    database: &Database,
    index: Option<&str>,
    attribute: &str,
    value: &str,
) -> Result<Vec<Item>, Error> {
    let mut request = Query::new(TABLE)
        .key_condition("#partition = :partition")
        .name("#partition", attribute)
        .value(":partition", value);
    request.index_name = index.map(str::to_owned);
    let mut items = Vec::new();
    loop {
        let page = database.query(request.clone())?;
        items.extend(page.items.into_iter().map(Item::from));
        request.exclusive_start_key = page.last_evaluated_key;
        if request.exclusive_start_key.is_none() {
            return Ok(items);
        }
    }
}
