//! The engine as a subject: typed requests with expressions as text, as a program would send them.

use std::path::Path;

use monotable_bench::sample::{self, COUNTER, INDEXES, TABLE, Value};
use monotable_bench::{Result, Scratch, Subject, Workload, load};
use monotable_engine::{
    AttributeValue, BatchWriteItem, CreateTable, Database, GetItem, IndexDefinition, Item, Options,
    PutItem, Query, TransactWriteItems, UpdateItem, item,
};

/// The name in tables.
pub(crate) const NAME: &str = "engine";

/// A database with the benchmark's table.
pub(crate) struct Engine {
    database: Database,
    _directory: Option<Scratch>,
}

/// A typed request.
pub(crate) enum Request {
    Get(GetItem),
    Query(Query),
    Update(UpdateItem),
    Put(PutItem),
    Transaction(TransactWriteItems),
    Batch(BatchWriteItem),
}

impl Engine {
    /// Returns a database in memory with `items` items.
    pub(crate) fn memory(items: u64) -> Result<Self> {
        Self::filled(Database::memory(), None, items)
    }

    /// Returns a database in a new directory below `parent`, with `items` items.
    pub(crate) fn disk(parent: &Path, items: u64) -> Result<Self> {
        let directory = Scratch::new(parent, NAME)?;
        let database = Database::open(directory.path(), Options::default())?;
        Self::filled(database, Some(directory), items)
    }

    fn filled(database: Database, directory: Option<Scratch>, items: u64) -> Result<Self> {
        database.create_table(create_table()?)?;
        let engine = Self { database, _directory: directory };
        load(&engine, NAME, items)?;
        Ok(engine)
    }

    /// Returns a database that has the table already.
    pub(crate) fn with_table(database: Database) -> Self {
        Self { database, _directory: None }
    }
}

/// Returns the table with its three indexes.
pub(crate) fn create_table() -> Result<CreateTable> {
    let mut table = CreateTable::new(TABLE).partition_key("PK", "S")?.sort_key("SK", "S")?;
    for (name, partition, sort) in INDEXES {
        table = table
            .attribute(partition, "S")?
            .attribute(sort, "S")?
            .global_index(IndexDefinition::new(name, &[partition], &[sort]));
    }
    Ok(table)
}

fn item(number: u64) -> Item {
    let value = |value| match value {
        Value::Text(text) => AttributeValue::S(text),
        Value::Number(number) => number.into(),
    };
    let attributes = sample::attributes(number);
    attributes.into_iter().map(|(name, of)| (name.to_owned(), value(of))).collect()
}

fn key(number: u64) -> Item {
    let (partition, sort) = sample::key(number);
    item! { "PK" => partition, "SK" => sort }
}

impl Subject for Engine {
    type Request = Request;

    fn prepare(&self, workload: Workload, number: u64) -> Request {
        let items = (number..number + workload.items()).map(item);
        match workload {
            Workload::Get | Workload::GetDecoded => Request::Get(GetItem::new(TABLE, key(number))),
            Workload::Query | Workload::QueryDecoded => Request::Query(
                Query::new(TABLE)
                    .key_condition("PK = :partition")
                    .value(":partition", sample::partition_key(number)),
            ),
            Workload::QueryIndex => Request::Query(
                Query::new(TABLE)
                    .index(INDEXES[0].0)
                    .key_condition("GSI1PK = :partition")
                    .value(":partition", sample::group_key(0, number))
                    .limit(workload.items() as u32),
            ),
            Workload::Update => Request::Update(
                UpdateItem::new(TABLE, key(number))
                    .update(format!("ADD {COUNTER} :one"))
                    .value(":one", 1),
            ),
            Workload::Put => Request::Put(PutItem::new(TABLE, item(number))),
            Workload::Transaction => {
                Request::Transaction(items.fold(TransactWriteItems::new(), |transaction, item| {
                    transaction.action(PutItem::new(TABLE, item))
                }))
            }
            Workload::Batch => Request::Batch(
                items.fold(BatchWriteItem::new(), |batch, item| batch.put(TABLE, item)),
            ),
        }
    }

    fn perform(&self, workload: Workload, request: Request) -> Result<u64> {
        let database = &self.database;
        match request {
            Request::Get(get) => {
                let found = database.get_item(get)?.item;
                return Ok(found.map_or(0, |item| match workload {
                    Workload::GetDecoded => u64::from(item.to_item().contains_key(COUNTER)),
                    _ => 1,
                }));
            }
            Request::Query(query) => {
                let found = database.query(query)?.items;
                let is_complete = |item: &Item| item.contains_key(COUNTER);
                let items = match workload {
                    Workload::QueryDecoded => {
                        found.iter().filter(|item| is_complete(&item.to_item())).count()
                    }
                    _ => found.len(),
                };
                return Ok(items as u64);
            }
            Request::Update(update) => drop(database.update_item(update)?),
            Request::Put(put) => drop(database.put_item(put)?),
            Request::Transaction(transaction) => {
                drop(database.transact_write_items(transaction)?);
            }
            Request::Batch(batch) => {
                let left = database.batch_write_item(batch)?.unprocessed_items;
                return Ok(if left.is_empty() { workload.items() } else { 0 });
            }
        }
        Ok(workload.items())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_one_kilobyte() -> Result<()> {
        let engine = Engine::memory(10_000)?;
        for number in [0, 7, 9_999] {
            let found = engine.database.get_item(GetItem::new(TABLE, key(number)))?.item;
            assert_eq!(found.map(|item| item.size_bytes()), Some(sample::ITEM_BYTES));
        }
        Ok(())
    }

    #[test]
    fn every_workload_finds_its_items() -> Result<()> {
        let engine = Engine::memory(10_000)?;
        for workload in Workload::ALL {
            let request = engine.prepare(workload, 42);
            assert_eq!(engine.perform(workload, request)?, workload.items(), "{workload:?}");
        }
        Ok(())
    }
}
