//! A database that has the rows of an endpoint elsewhere, for tests that look into it.

use std::sync::Arc;

use monotable::model::backend::request::{
    Action, BatchAction, BatchGet, BatchWrite, Returns, TableShape, Write,
};
use monotable::model::backend::{Backend as _, BackendError, Dynamo, Embedded};
use monotable::{Database, Item};
use tokio::sync::Mutex;

/// Keys that a request reads at most.
const KEYS_MAX: usize = 100;

/// The copy of the tables of one clock. Clones are the same copy.
#[derive(Clone)]
pub(crate) struct Mirror {
    database: Embedded,
    /// A row is read and copied before it is read for another request: no copy is older than the one before.
    copying: Arc<Mutex<()>>,
}

/// A row that was written, as it is in the request: its key, or all of it.
pub(crate) struct Written {
    table: Arc<str>,
    row: Item,
}

impl Written {
    pub(crate) fn of_writes<'a>(writes: impl IntoIterator<Item = &'a Write>) -> Vec<Self> {
        let written = writes.into_iter().filter_map(|write| {
            let row = match &write.action {
                Action::Put(row) | Action::Update(row, _) | Action::Delete(row) => row.clone(),
                Action::Check(_) => return None,
            };
            Some(Self { table: Arc::clone(&write.table), row })
        });
        written.collect()
    }

    pub(crate) fn of_batch(batch: &BatchWrite) -> Vec<Self> {
        let written = batch.writes.iter().map(|action| {
            let (BatchAction::Put(row) | BatchAction::Delete(row)) = action;
            Self { table: Arc::clone(&batch.table), row: row.clone() }
        });
        written.collect()
    }
}

impl Mirror {
    pub(crate) fn new(database: &Database) -> Self {
        Self { database: Embedded::new(database.clone()), copying: Arc::default() }
    }

    pub(crate) async fn create_table(&self, shape: TableShape) -> Result<(), BackendError> {
        match self.database.describe_table(&shape.table).await? {
            Some(_) => Ok(()),
            None => self.database.create_table(shape).await,
        }
    }

    /// Copies rows as they are at the endpoint now.
    pub(crate) async fn copy(
        &self,
        dynamo: &Dynamo,
        written: Vec<Written>,
    ) -> Result<(), BackendError> {
        let Some(Written { table, .. }) = written.first() else { return Ok(()) };
        assert!(written.iter().all(|it| it.table == *table), "a service has one table");
        let shape = self.database.describe_table(table).await?.expect("a table that was created");
        let key_of = |row: &Item| -> Item {
            let names = shape.key.iter().map(|part| &part.attribute_name);
            names.map(|name| (name.clone(), row[name].clone())).collect()
        };
        let keys: Vec<Item> = written.iter().map(|it| key_of(&it.row)).collect();
        let _turn = self.copying.lock().await;
        for keys in keys.chunks(KEYS_MAX) {
            let (table, keys) = (Arc::clone(table), keys.to_vec());
            let mut missing = keys.clone();
            let get = BatchGet {
                table: Arc::clone(&table),
                keys,
                consistent: true,
                returns_units: false,
            };
            let found = dynamo.batch_get(get).await?;
            assert!(
                found.unprocessed.is_empty(),
                "{} rows were left over",
                found.unprocessed.len()
            );
            for row in found.rows {
                let row = row.into_item()?;
                let key = key_of(&row);
                missing.retain(|other| *other != key);
                self.database.write(write(&table, Action::Put(row))).await?;
            }
            for key in missing {
                self.database.write(write(&table, Action::Delete(key))).await?;
            }
        }
        Ok(())
    }
}

fn write(table: &Arc<str>, action: Action) -> Write {
    Write {
        table: Arc::clone(table),
        action,
        condition: None,
        return_on_failure: false,
        returns: Returns::Nothing,
        returns_units: false,
    }
}
